import { type Command, EXIT } from "../kit/command.ts";
import { bashCompletion } from "../kit/completion/bash.ts";
import { type CompletedCommand, completionTable } from "../kit/completion/completion-table.ts";
import { fishCompletion } from "../kit/completion/fish.ts";
import { zshCompletion } from "../kit/completion/zsh.ts";
import { positional, readChoice } from "../kit/option-values.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
const SCRIPTS = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
} as const satisfies Record<(typeof SHELLS)[number], (commands: readonly CompletedCommand[]) => string>;

/** The command table is handed in: this command is in it itself. */
export function completion(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    audience: "everyone",
    summary: "Print a script with which a shell completes commands, options and fixed words.",
    arguments: ["SHELL"],
    argumentWords: { SHELL: SHELLS },
    options: {},
    notes: [
      "SHELL is bash, zsh or fish. In a clone it completes ./tillgate too.",
      "bash: add this line to ~/.bashrc:  source <({program} completion bash)",
      "zsh: add this line to ~/.zshrc, below compinit:  source <({program} completion zsh)",
      "fish: {program} completion fish > ~/.config/fish/completions/tillgate.fish",
    ],
    run: async (context, input) => {
      const shell = readChoice(positional(input, 0), "SHELL", SHELLS);
      context.print(SCRIPTS[shell](completionTable(commands())).trimEnd());
      return EXIT.done;
    },
  };
}
