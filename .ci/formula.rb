# Installs a Homebrew formula from a local archive and runs its test, without Homebrew: formula.rb FORMULA ARCHIVE FOLDER PLATFORM.
# It supports the parts of Homebrew's DSL that the formula uses and rejects all others. Homebrew itself cannot be installed in the
# gate.
require "digest"
require "fileutils"
require "open3"
require "pathname"

class Pathname
  def install(*sources)
    mkpath
    sources.flatten.each do |source|
      raise "#{source} does not exist" unless File.exist?(source)

      FileUtils.cp_r(source, self)
    end
  end
end

class Formula
  PLATFORM = ARGV.fetch(3)
  PREFIX = Pathname(ARGV.fetch(2))

  class << self
    attr_reader :values, :test_block

    %i[desc homepage version license url sha256].each do |name|
      define_method(name) { |value| (@values ||= {})[name] = value }
    end

    def depends_on(requirement)
      raise "unknown requirement #{requirement}" unless requirement == { macos: :sequoia }
    end

    def on_macos = (yield if PLATFORM == "macos-universal")
    def on_linux = (yield if PLATFORM.start_with?("linux-"))
    def on_intel = (yield if PLATFORM.end_with?("x86_64"))
    def on_arm = (yield if PLATFORM.end_with?("aarch64"))
    def test(&block) = @test_block = block
  end

  def version = self.class.values[:version]
  def bin = PREFIX / "bin"
  def man1 = PREFIX / "share/man/man1"
  def doc = PREFIX / "share/doc/authflow"
  def bash_completion = PREFIX / "etc/bash_completion.d"
  def zsh_completion = PREFIX / "share/zsh/site-functions"
  def fish_completion = PREFIX / "share/fish/vendor_completions.d"

  def shell_output(command)
    output, status = Open3.capture2(command)
    raise "#{command} exits with #{status.exitstatus}" unless status.success?

    output
  end

  def assert_match(expected, actual)
    raise "`#{actual}` does not contain `#{expected}`" unless actual.include?(expected)
  end
end

formula, archive = ARGV.first(2).map { |path| File.expand_path(path) }
load formula
values = Authflow.values
# Rules of `brew audit`.
raise "the description is too long" if values[:desc].length > 80
raise "the description begins with an article or the name" if values[:desc].match?(/\A(an?|the|authflow)\b/i)
raise "the description ends with a period" if values[:desc].end_with?(".")
raise "the file must be authflow.rb" unless File.basename(formula) == "authflow.rb"
raise "no URL for #{Formula::PLATFORM}" unless values[:url].end_with?("/authflow-#{Formula::PLATFORM}.tar.gz")
raise "wrong checksum" unless Digest::SHA256.file(archive).hexdigest == values[:sha256]

work = Formula::PREFIX / "work"
work.mkpath
system("tar", "-xzf", archive, "--strip-components", "1", "-C", work.to_s, exception: true)
Dir.chdir(work) { Authflow.new.install }
Authflow.new.instance_eval(&Authflow.test_block)
installed = Dir.glob("#{Formula::PREFIX}/{bin,share,etc}/**/*").count { |path| File.file?(path) }
puts "installed #{installed} files, and the formula's test passes"
