/// The look of run and suite pages: what both share first, then each part's own.
enum PageStyle {
  static let text = shared + parts + pictures

  private static let shared = #"""
    :root{color-scheme:light dark;
    --paper:light-dark(#fff,#14161a);--raised:light-dark(#f7f8fa,#1b1e24);--sunk:light-dark(#eef0f4,#23272f);
    --ink:light-dark(#1b1e25,#e8eaef);--soft:light-dark(#555d6b,#a9b1bf);--line:light-dark(#dde1e8,#333943);
    --strong:light-dark(#8a93a3,#6d7686);--link:light-dark(#1a56b8,#8fb6ff);--good:light-dark(#146c37,#76d19a);
    --bad:light-dark(#b3201a,#ff9d94);--turn:light-dark(#80570a,#ecc26b);--goodbg:light-dark(#e4f5ea,#163022);
    --badbg:light-dark(#fdeae8,#3a1a18);--turnbg:light-dark(#fdf3dc,#332710);--mark:light-dark(#fff1b8,#4d4110);
    --mono:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
    :root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
    *{box-sizing:border-box}
    html{scroll-padding-top:4.2rem;-webkit-text-size-adjust:100%}
    @media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
    body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;overflow-wrap:anywhere}
    a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:from-font}
    a:hover{text-decoration-thickness:2px}
    :focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
    h1,h2,h3{line-height:1.25;margin:0;text-wrap:balance}
    h1{font-size:1.65rem;font-weight:650;letter-spacing:-.015em}h2{font-size:1.25rem;font-weight:650;margin-bottom:1rem}
    h3{font-size:1rem;font-weight:650;margin:1.4rem 0 .5rem}h3.small{font-size:.82rem;color:var(--soft);margin:1.2rem 0 .4rem}
    p{margin:.4rem 0}ul,ol{margin:0;padding:0;list-style:none}
    code,pre,.url,.lines,.fields th+td,.method,.address,.outcome,.status,.number,.fields th{font-family:var(--mono);font-size:.86em}
    pre,.url{white-space:pre-wrap;background:var(--sunk);border-radius:6px;padding:.6rem .75rem;margin:.4rem 0}
    .fields th+td,.url,pre,.lines li{unicode-bidi:isolate}
    [hidden]{display:none!important}
    .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    .skip{position:absolute;left:-999rem;background:var(--paper);padding:.5rem 1rem;z-index:9}.skip:focus{left:.5rem;top:.5rem}
    .dim,figcaption,footer{color:var(--soft)}
    .top,nav.parts,main,footer{padding-inline:max(1.25rem,calc((100vw - 1480px)/2))}
    .top{padding-top:1rem;padding-bottom:1.25rem;background:var(--raised)}
    .bar{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:center;min-height:2.2rem;margin-bottom:1rem}
    .brand{font-weight:700;letter-spacing:-.01em;color:var(--soft)}
    .tools{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin-left:auto}
    input,button{font:inherit;font-size:.9rem;color:inherit;background:var(--paper);border:1px solid var(--strong);border-radius:6px;padding:.3rem .7rem}
    button{cursor:pointer}button:hover{background:var(--sunk)}
    button[aria-pressed=true]{background:var(--ink);color:var(--paper);border-color:var(--ink)}
    input[type=search]{width:min(18rem,70vw)}#found{color:var(--soft);font-size:.85rem;min-width:2rem}
    .headline{display:flex;flex-wrap:wrap;gap:.4rem .9rem;align-items:center}.scenario{flex-basis:100%;margin:0}
    .badge{display:inline-block;font-weight:650;font-size:.9rem;padding:.15rem .7rem;border-radius:99px;border:1px solid}
    .badge.good{color:var(--good);background:var(--goodbg)}.badge.bad{color:var(--bad);background:var(--badbg)}.badge.open{color:var(--turn);background:var(--turnbg)}
    nav.parts{position:sticky;top:0;z-index:5;background:var(--raised);border-bottom:1px solid var(--line)}
    nav.parts ul{display:flex;gap:.25rem;overflow-x:auto;margin-inline:-.6rem;scrollbar-width:thin}
    nav.parts a{display:block;padding:.65rem .6rem;color:var(--soft);text-decoration:none;white-space:nowrap;border-bottom:2px solid transparent}
    nav.parts a:hover{color:var(--ink)}nav.parts a[aria-current]{color:var(--ink);border-color:var(--link)}
    nav.parts a:focus-visible{outline-offset:-3px}
    .count{margin-left:.4rem;font-size:.78em;font-weight:500;color:var(--soft);background:var(--sunk);border-radius:99px;padding:.05rem .5rem}
    section{padding:2.2rem 0 1rem}section+section{border-top:1px solid var(--line)}
    footer{border-top:1px solid var(--line);padding-block:1.25rem 3rem;font-size:.88rem;max-width:none}footer p{max-width:75ch}
    .lead{font-size:1.08rem;margin-top:0;max-width:60ch}.note{max-width:75ch;color:var(--soft)}
    .why{color:var(--bad);max-width:70ch}
    .facts{margin:.6rem 0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:.45rem 1.6rem}
    .facts>div{min-width:0}.facts dt{font-size:.8rem;color:var(--soft)}.facts dd{margin:0}
    .filters{display:flex;flex-wrap:wrap;gap:.4rem;margin:0 0 .8rem}.filters button{border-radius:99px;padding:.15rem .8rem}
    .items>li{margin:.35rem 0}.items .items{margin-left:1.4rem}
    .item{border:1px solid var(--line);border-radius:8px;background:var(--paper)}
    .item>summary{display:flex;flex-wrap:wrap;gap:.1rem .7rem;align-items:baseline;padding:.5rem .8rem;cursor:pointer;list-style:none;border-radius:8px}
    .item>summary::-webkit-details-marker{display:none}
    .item>summary::after{content:"";order:9;width:.45rem;height:.45rem;border:solid var(--soft);border-width:0 1.5px 1.5px 0;transform:rotate(45deg);align-self:center;margin:-.2rem .1rem 0 .2rem}
    .item[open]>summary::after{transform:rotate(-135deg);margin-top:.2rem}
    .item>summary:hover{background:var(--raised)}
    .item.with,.item:target{border-color:var(--link);box-shadow:0 0 0 1px var(--link)}
    .inside{padding:.2rem .9rem 1rem;border-top:1px solid var(--line)}
    .name{font-weight:600}.kind,.time,.mark{color:var(--soft);font-size:.85rem}.time{margin-left:auto;font-variant-numeric:tabular-nums;white-space:nowrap}
    .means{flex-basis:100%;order:10;color:var(--soft);font-size:.88rem}
    .mark{border:1px solid var(--line);border-radius:99px;padding:0 .5rem}
    .description{max-width:72ch}
    .sign{width:1.1rem;text-align:center;font-weight:700;flex:none}
    .status{white-space:nowrap}.good{color:var(--good)}.bad{color:var(--bad)}.detour{color:var(--turn)}.open.status{color:var(--soft)}
    .facts-of{margin:.5rem 0}.facts-of>summary{cursor:pointer;color:var(--soft);font-size:.88rem;border-radius:4px}
    .plain>li{margin:.2rem 0}
    @media(max-width:640px){.tools{margin-left:0;width:100%}h1{font-size:1.35rem}section{padding-top:1.6rem}.items .items{margin-left:.6rem}}

    """#

  private static let parts = #"""
    .overview{display:grid;gap:1.5rem 2.5rem;grid-template-columns:minmax(0,1fr)}
    @media(min-width:1000px){.overview{grid-template-columns:minmax(18rem,5fr) minmax(0,7fr)}.overview .facts{grid-template-columns:1fr 1fr}}
    .broken li{border-left:3px solid var(--bad);padding:.2rem .8rem;margin:.4rem 0;background:var(--badbg)}
    .failure{border-left:3px solid var(--bad);padding:.3rem .9rem;background:var(--badbg);border-radius:0 6px 6px 0;margin:.6rem 0}
    .beside{display:grid;gap:1.5rem;grid-template-columns:minmax(0,1fr)}
    @media(min-width:1000px){.beside{grid-template-columns:minmax(0,7fr) minmax(0,5fr)}
    .source{position:sticky;top:3.8rem;max-height:calc(100vh - 5rem);align-self:start}}
    .source{overflow:auto;border:1px solid var(--line);border-radius:8px;background:var(--raised);max-height:70vh}
    .filename{padding:.5rem .9rem;margin:0;border-bottom:1px solid var(--line);font-size:.85rem;color:var(--soft);position:sticky;top:0;background:var(--raised)}
    .lines{counter-reset:line;padding:.4rem 0;line-height:1.5;font-size:.8rem}
    .lines li{counter-increment:line;white-space:pre-wrap;padding:0 .8rem 0 4.1rem;position:relative;min-height:1.5em}
    .lines li::before{content:counter(line);position:absolute;left:0;width:3.2rem;text-align:right;color:var(--soft);user-select:none}
    .lines .at{border-left:3px solid var(--strong)}.lines .at.ok{border-color:var(--good)}.lines .at.failed{border-color:var(--bad)}.lines .at.handled{border-color:var(--turn)}
    .lines .at::before{left:-3px}.lines a{color:inherit;text-decoration-style:dotted}
    .lines li:target,.lines li.with{background:var(--mark)}.lines li:target::before{color:var(--ink);font-weight:700}
    .step.ok>summary .sign,.step.ok>summary .outcome{color:var(--good)}.step.failed>summary .sign,.step.failed>summary .outcome{color:var(--bad)}
    .step.handled>summary .sign,.step.handled>summary .outcome{color:var(--turn)}
    .step.skipped{border-style:dashed}.step.skipped>summary{color:var(--soft)}.given{margin-top:1rem}
    .decisions li{max-width:85ch}.detail{color:var(--soft)}
    .decision{display:grid;grid-template-columns:5.5rem 9rem minmax(0,1fr);gap:.2rem .8rem;padding:.35rem .8rem;border-width:0 0 1px;border-radius:0}
    .decision .time{margin:0;text-align:right}.decision .who{font-size:.88rem}
    .checks{margin:.4rem 0}.checks .refused{color:var(--bad)}
    @media(max-width:700px){.decision{grid-template-columns:auto 1fr}.decision>div{grid-column:1/-1}.decision .time{text-align:left}}
    .exchange>summary .number{color:var(--soft);min-width:1.6rem}.method{font-weight:700}.address{min-width:0;flex:0 1 auto}
    .fields{border-collapse:collapse;width:100%;margin:.6rem 0;font-size:.92rem}
    .fields caption{text-align:left;font-size:.82rem;font-weight:650;color:var(--soft);padding-bottom:.25rem}
    .fields th,.fields td{text-align:left;vertical-align:top;padding:.28rem .8rem .28rem 0;border-top:1px solid var(--line);font-weight:400}
    .fields th{width:22%;min-width:8rem}.fields th+td{width:42%;white-space:pre-wrap}.fields td+td{color:var(--soft);font-size:.9rem}
    .facts-of>.fields caption{display:none}
    .moment{display:block;font-family:system-ui,sans-serif;color:var(--soft);font-size:.85rem}
    @media(max-width:700px){.fields tbody tr{display:block;border-top:1px solid var(--line);padding:.35rem 0}
    .fields tbody th,.fields tbody td{display:block;width:auto;border:0;padding:.05rem 0}.fields tbody th{font-weight:700}.fields td:empty{display:none}}
    .two{display:grid;gap:1rem 2rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}
    .write{padding:.5rem .9rem;margin:.4rem 0}.write .number{margin-right:.7rem}.write p .time{margin:0 .6rem}
    .diff>li{border-left:3px solid var(--strong);padding-left:.7rem;margin:.3rem 0}.diff>.added{border-color:var(--good)}.diff>.deleted{border-color:var(--bad)}.diff>.changed{border-color:var(--turn)}
    del{color:var(--bad);text-decoration:line-through}ins{color:var(--good);text-decoration:underline;text-decoration-style:dotted}
    tr.changed{background:var(--turnbg)}
    .journey{list-style:decimal;padding-left:1.5rem}
    .tiles{display:grid;gap:.7rem;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));margin-bottom:1rem}
    .tile{border:1px solid var(--line);border-radius:8px;padding:.6rem .9rem}.tile b{display:block;font-size:1.5rem;font-weight:650;font-variant-numeric:tabular-nums}.tile span{color:var(--soft);font-size:.88rem}
    .paths{border-collapse:collapse;margin:.6rem 0;font-family:var(--mono);font-size:.84rem}
    .paths th,.paths td{text-align:left;padding:.15rem 1.4rem .15rem 0;font-weight:400;vertical-align:top}.paths thead th{color:var(--soft);border-bottom:1px solid var(--line)}
    .paths .off{background:var(--turnbg)}.paths .first{background:var(--badbg);font-weight:700}
    .grid{display:flex;flex-wrap:wrap;gap:.3rem}.file-group{margin:1.1rem 0}.file-group h3{margin:0 0 .4rem;font-family:var(--mono);font-size:.9rem}
    .cell{display:inline-flex;gap:.35rem;align-items:baseline;border:1px solid var(--line);border-radius:6px;padding:.05rem .55rem;font-size:.85rem;background:var(--paper)}
    .cell .sign{width:auto}.cell.passed .sign{color:var(--good)}.cell.failed,.cell.error{border-color:var(--bad);background:var(--badbg)}.cell.failed .sign,.cell.error .sign{color:var(--bad)}
    .cell .time{margin:0;font-size:.75rem}.cell.skipped{border-style:dashed;color:var(--soft)}
    .share{display:block;height:.5rem;width:100%;max-width:16rem;border:0;border-radius:99px;background:var(--sunk);overflow:hidden;appearance:none}
    .share::-webkit-progress-bar{background:var(--sunk)}.share::-webkit-progress-value{background:var(--good)}.share::-moz-progress-bar{background:var(--good)}
    .table{border-collapse:collapse;width:100%}.table th,.table td{text-align:left;padding:.35rem 1rem .35rem 0;border-top:1px solid var(--line);vertical-align:top;font-weight:400}
    .table thead th{color:var(--soft);font-size:.85rem;border:0}.table .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
    .missing{list-style:disc;padding-left:1.2rem}

    """#

  private static let pictures = #"""
    figure{margin:0}figcaption{font-size:.85rem;margin-top:.4rem;max-width:75ch}
    .scroll{overflow:auto;border:1px solid var(--line);border-radius:8px;background:var(--paper);max-height:85vh}
    .scroll svg{display:block;height:auto;max-width:none;min-width:640px}.overview .scroll svg{width:100%;max-width:980px;margin:auto}
    .sequence,.timeline{width:100%;max-width:1240px}
    svg text{font:12.5px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--ink)}
    svg a{text-decoration:none}svg a:hover text{text-decoration:underline}svg a:focus-visible{outline:2px solid var(--link)}
    .machine .state rect{fill:var(--goodbg);stroke:var(--good);stroke-width:2}.machine .state text,.machine .end text{text-anchor:middle}
    .machine .name{font-weight:650;font-size:14px}.machine .detail{font:12px var(--mono)}
    .machine .edge{fill:none;stroke:var(--ink);stroke-width:2.5}.machine .edge.failure{stroke:var(--bad)}.machine .head{fill:var(--ink)}.machine .head.failure{fill:var(--bad)}
    .machine .start{fill:var(--ink)}.machine .label{font-size:12px;paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round;font-weight:600}
    .machine .end rect{fill:var(--goodbg);stroke:var(--good);stroke-width:2}.machine .end.failed rect{fill:var(--badbg);stroke:var(--bad)}.machine .end text{font-weight:650;font-size:14px}
    .machine .other rect{fill:var(--paper);stroke:var(--strong);stroke-width:1;stroke-dasharray:4 4}.machine .state.other text,.machine .end.other text{fill:var(--soft)}
    .machine .edge.other{stroke:var(--strong);stroke-width:1;stroke-dasharray:3 4}.machine .head.other{fill:var(--strong)}.machine .label.other{fill:var(--soft);font-weight:400}
    .lives line{stroke:var(--strong);stroke-dasharray:2 4}.lives rect{fill:var(--sunk)}.lives text{font-weight:600}
    .sequence .beginning{stroke:var(--line)}.sequence .beginning+text{font-weight:650}
    .shaft{stroke:var(--ink);stroke-width:1.4}.shaft.dashed{stroke-dasharray:5 4}.tip{fill:var(--ink)}
    .sequence .bad .shaft{stroke:var(--bad)}.sequence .bad .tip,.sequence .bad text{fill:var(--bad)}
    .sequence .good text{fill:var(--good)}.sequence .detour text{fill:var(--turn)}
    .sequence text{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}.lives text{stroke:none!important}
    .sequence .number{font-weight:700}.sequence .note rect{fill:var(--turnbg);stroke:var(--turn)}.sequence .note text,.sequence .heading{fill:var(--soft);font-style:italic}.sequence .heading{text-anchor:middle}
    svg .name{font-weight:400}.timeline .row{fill:transparent}.timeline a:hover .row{fill:var(--sunk)}.timeline .bar{fill:var(--strong)}
    .timeline .step .name{font-weight:650}.timeline .step .bar{fill:var(--good)}.timeline .step.failed .bar{fill:var(--bad)}.timeline .step.handled .bar{fill:var(--turn)}
    .timeline .exchange.bad .bar{fill:var(--bad)}.timeline .visit .bar{fill:var(--link)}
    .timeline .length,.timeline .jump text{fill:var(--soft);font-size:11px}.timeline .exchange .name,.timeline .visit .name{font-size:12px}
    .timeline .jump rect{fill:var(--sunk)}
    @media print{:root{color-scheme:light!important}body{font-size:10.5pt}nav.parts,.tools,.filters,.skip{display:none!important}
    .source,.scroll{position:static;max-height:none;overflow:visible;border:0}.scroll svg{min-width:0;width:100%;max-width:100%}
    .beside,.overview{display:block}.item,tr,figure{break-inside:avoid-page}details.item{break-inside:auto}h2,h3,summary{break-after:avoid}
    details::details-content{content-visibility:visible!important;height:auto!important;display:block!important}.item>summary::after{display:none}
    a{color:inherit}.top{background:none;padding-inline:0}main,footer{padding-inline:0}}
    @media(forced-colors:active){.badge,.item,.cell{border:1px solid}.machine .edge,.shaft{stroke:CanvasText}}

    """#
}
