import { execFile, execFileSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A program and its first arguments; what it is asked to do follows. */
export type CommandLine = readonly [program: string, ...words: string[]];

export type ExampleLanguage = {
  readonly name: string;
  /** Programs without which the example cannot run. */
  readonly needs: readonly string[];
  /** Compiled first. That takes more processor time than a run, so `npm run test:stress` does it. */
  readonly isCompiled: boolean;
  /** What it takes to run it; a compiler writes into the directory. */
  readonly prepare: (directory: string) => Promise<CommandLine>;
};

const run = promisify(execFile);
const example = (file: string) => fileURLToPath(new URL(`../../examples/${file}`, import.meta.url));

export const EXAMPLE_LANGUAGES: readonly ExampleLanguage[] = [
  {
    name: "Python",
    needs: ["python3"],
    isCompiled: false,
    prepare: async () => ["python3", "-B", example("python/tillgate.py")],
  },
  { name: "PHP", needs: ["php"], isCompiled: false, prepare: async () => ["php", example("php/tillgate.php")] },
  {
    name: "shell",
    needs: ["sh", "awk", "od", "openssl", "curl"],
    isCompiled: false,
    prepare: async () => ["sh", example("shell/tillgate.sh")],
  },
  { name: "Go", needs: ["go"], isCompiled: true, prepare: prepareGo },
  { name: "Java", needs: ["java", "javac"], isCompiled: true, prepare: prepareJava },
  { name: "C#", needs: ["dotnet"], isCompiled: true, prepare: prepareCSharp },
];

export function missingPrograms({ needs }: ExampleLanguage): string[] {
  return needs.filter((program) => {
    try {
      execFileSync("sh", ["-c", 'command -v "$1"', "sh", program], { stdio: "ignore" });
      return false;
    } catch {
      return true;
    }
  });
}

async function prepareGo(directory: string): Promise<CommandLine> {
  const program = join(directory, "tillgate");
  // Nothing is fetched: neither a module nor another version of Go.
  const env = { ...process.env, GOPROXY: "off", GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod", GO111MODULE: "off" };
  await run("go", ["vet", example("go/tillgate.go")], { env });
  await run("go", ["build", "-o", program, example("go/tillgate.go")], { env });
  return [program];
}

async function prepareJava(directory: string): Promise<CommandLine> {
  await run("javac", ["-Xlint:all,-serial", "-Werror", "-d", directory, example("java/Tillgate.java")]);
  return ["java", "-XX:TieredStopAtLevel=1", "-cp", directory, "Tillgate"];
}

/** The project that the first lines of the example show, for the version of .NET that is there. */
async function prepareCSharp(directory: string): Promise<CommandLine> {
  const { stdout } = await run("dotnet", ["--version"]);
  const major = Number.parseInt(stdout, 10);
  const framework = major >= 5 ? `net${major}.0` : `netcoreapp${/^\d+\.\d+/.exec(stdout)?.[0]}`;
  cpSync(example("csharp/Tillgate.cs"), join(directory, "Tillgate.cs"));
  writeFileSync(
    join(directory, "Tillgate.csproj"),
    `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>${framework}</TargetFramework></PropertyGroup>
</Project>
`,
  );
  const out = join(directory, "out");
  const env = { ...process.env, DOTNET_CLI_TELEMETRY_OPTOUT: "1", DOTNET_NOLOGO: "1" };
  await run("dotnet", ["build", directory, "-o", out], { env });
  return ["dotnet", join(out, "Tillgate.dll")];
}
