import { Argument } from "commander";
import type { Command } from "commander";
import { teach } from "./help.ts";
import type { ProgramContext } from "./program.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * Adds `centavo completion`, and the hidden `centavo complete`, which its scripts call at each press of Tab. Their code is loaded only when
 * they run, so that other commands start faster.
 */
export function addCompletionCommand(program: Command, context: ProgramContext): void {
  const command = program
    .command("completion")
    .summary("print a script that completes commands, options and files in your shell")
    .description(
      "Print a script that completes commands, options, their values, stories and files in your shell, when you press Tab. Load it where your shell starts. It calls the centavo of your PATH: install the package globally, or put node_modules/.bin into PATH.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .action(async (shell: Shell) => {
      const { printCompletionScript } = await import("./completion.ts");
      printCompletionScript(shell);
    });
  teach(command, {
    examples: [
      ["source <(centavo completion bash)", "completes in this bash; as a line of ~/.bashrc, in each"],
      ["centavo completion zsh > ~/.zfunc/_centavo", "completes in each zsh whose fpath has ~/.zfunc before compinit"],
      ["centavo completion fish > ~/.config/fish/completions/centavo.fish", "completes in each fish"],
    ],
    exitCodes: [
      ["0", "the script is printed"],
      ["2", "the shell is not known"],
    ],
    readOn: ["reference/commands.md"],
  });

  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: string[]) => {
      const { complete } = await import("./completion.ts");
      await complete(program, words, context.directory);
    });
}
