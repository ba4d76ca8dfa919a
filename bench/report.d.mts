import type { Answer } from "./ask.mjs";

export function asText(answer: Answer): string;

export function asMarkdown(name: string, answer: Answer): string;
