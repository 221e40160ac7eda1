import Crypto
import OAuth

enum PageStyle {
  /// The sheet's hash, by which the pages' policy lets it in and no other.
  static let hash = "sha256-" + Base64.encode(SHA256.hash(data: Array(sheet.text.utf8)))

  /// One sheet for all pages; both color schemes keep a contrast of at least 4.5 to 1.
  static let sheet: HTML = """
    :root{--ground:#f3f4f7;--card:#fff;--ink:#1b1d24;--soft:#565b6b;--line:#767b8c;--act:#1f4fbf;--on-act:#fff;--bad:#a4161a;--focus:#7a3ff2;--mark:#fff3c4;--on-mark:#4a3500}
    @media (prefers-color-scheme:dark){:root{--ground:#14161c;--card:#1f222b;--ink:#eef0f6;--soft:#b4b9c9;--line:#8086a0;--act:#9db8ff;--on-act:#10131b;--bad:#ff9a9e;--focus:#c7a8ff;--mark:#3d3413;--on-mark:#ffe9a6}}
    *{box-sizing:border-box}
    body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;padding-bottom:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
    .banner{width:100%;margin-bottom:1rem;background:var(--mark);color:var(--on-mark);text-align:center;font-size:.875rem;font-weight:600;padding:.35rem 1rem}
    .banner p{margin:0}
    main{width:calc(100% - 2rem);max-width:27.5rem;background:var(--card);border-radius:.75rem;padding:2rem;margin:auto;box-shadow:0 2px 14px rgb(0 0 0/.16)}
    h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem;overflow-wrap:anywhere}
    h2{font-size:1.125rem;line-height:1.3;margin:1.5rem 0 .5rem}
    p{margin:0 0 1rem;overflow-wrap:anywhere}
    a{color:var(--act)}
    .problem{color:var(--bad);font-weight:600}
    .who,.hint,.app,summary{color:var(--soft)}
    .hint{margin:0;font-size:.875rem}
    label{display:block;font-weight:600}
    input:not([type=checkbox]):not([type=hidden]){display:block;width:100%;font:inherit;margin:.25rem 0 1rem;padding:.6rem .7rem;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.4rem}
    input[aria-invalid=true]{border-color:var(--bad)}
    fieldset{border:0;margin:0 0 1rem;padding:0;min-width:0}
    legend{padding:0;margin:0 0 .75rem;overflow-wrap:anywhere}
    label.check{display:flex;gap:.7rem;align-items:flex-start;font-weight:400;margin:0 0 .75rem;overflow-wrap:anywhere}
    label.check span{min-width:0}
    label.check input{margin:.25rem 0 0;flex:none;width:1.1rem;height:1.1rem;accent-color:var(--act)}
    small{display:block;color:var(--soft);font-size:.875rem}
    .number{font-size:2.5rem;font-weight:700;line-height:1;text-align:center;letter-spacing:.1em}
    .row{display:flex;flex-wrap:wrap;gap:.75rem;justify-content:flex-end;margin-top:1.5rem}
    .row+p{margin:1rem 0 0}
    button{font:inherit;padding:.55rem 1.2rem;border-radius:.4rem;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer}
    button:hover{border-color:currentColor}
    button.main{background:var(--act);border-color:var(--act);color:var(--on-act);font-weight:600}
    ul.accounts{list-style:none;padding:0}
    ul.accounts li{display:flex;flex-wrap:wrap;gap:.4rem;margin:0 0 .6rem}
    button.account{flex:1 1 12rem;text-align:left;padding:.7rem 1rem;overflow-wrap:anywhere;min-width:0}
    button.forget{font-size:.875rem;color:var(--soft)}
    button.link{border:0;text-align:left;padding:.2rem 0;color:var(--act);text-decoration:underline}
    :focus-visible{outline:3px solid var(--focus);outline-offset:2px}
    ul{padding-left:1.2rem;margin:0 0 1rem}
    .mark{display:inline-block;border:1px solid var(--line);border-radius:.3rem;padding:0 .4rem;font-size:.875rem;color:var(--soft)}
    details{margin:0 0 1rem;font-size:.875rem;overflow-wrap:anywhere}
    dl{margin:.5rem 0 0}
    dt{font-weight:600}
    dd{margin:0 0 .4rem;color:var(--soft)}
    .details{margin-top:1.5rem;font-size:.875rem;color:var(--soft);overflow-wrap:anywhere}
    .details p{margin:0}
    @media (max-width:26rem){main{width:100%;max-width:none;border-radius:0;padding:1.25rem;margin:0 auto auto;box-shadow:none}.banner{margin-bottom:0}body{background:var(--card)}.row button{flex:1 1 auto}}
    @media (forced-colors:active){main{border:1px solid}button.main{border-width:3px}}
    """
}
