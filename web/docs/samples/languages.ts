import { csharpSample } from "./csharp.ts";
import { goSample } from "./go.ts";
import { javaSample } from "./java.ts";
import { nodeSample } from "./node.ts";
import { phpSample } from "./php.ts";
import { pythonSample } from "./python.ts";
import type { SampleCall } from "./sample.ts";
import { shellSample } from "./shell.ts";

type Language = {
  readonly name: string;
  /** What to save the program as. */
  readonly file: string;
  readonly write: (call: SampleCall) => string;
};

export const LANGUAGES = {
  shell: { name: "curl", file: "call.sh", write: shellSample },
  node: { name: "Node", file: "call.mjs", write: nodeSample },
  python: { name: "Python", file: "call.py", write: pythonSample },
  php: { name: "PHP", file: "call.php", write: phpSample },
  go: { name: "Go", file: "call.go", write: goSample },
  java: { name: "Java", file: "Call.java", write: javaSample },
  csharp: { name: "C#", file: "call.cs", write: csharpSample },
} as const satisfies Record<string, Language>;

export type LanguageId = keyof typeof LANGUAGES;

export const LANGUAGE_IDS = Object.keys(LANGUAGES) as readonly LanguageId[];
