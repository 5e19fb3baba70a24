import { existsSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { CliError, EXIT, fileError } from "../cli-error.ts";
import { connect, globalOptions } from "../connection.ts";
import { readDocuments } from "../files/documents.ts";
import { readText } from "../files/read-text.ts";
import { note, printJson } from "../output.ts";
import { toModule } from "../types/module.ts";
import { exportFrom } from "./configuration.ts";

type TypesOptions = { out?: string; files?: string[]; check?: boolean };

export function addTypes(program: Command): void {
  program
    .command("types")
    .description("Write a TypeScript module with the gates, the values of configs, and the parameters of experiments and layers")
    .option("-o, --out <file>", "the file to write. Default: the standard output")
    .option("--files <paths...>", "read these files of a configuration, and not the server")
    .option("--check", "write nothing, and exit with 2 if the file is out of date")
    .action(async ({ out, files, check = false }: TypesOptions, command: Command) => {
      if (check && out === undefined) throw new CliError("--check needs --out.");
      const kinds = ["gates", "dynamicConfigs", "experiments", "layers", "paramStores"] as const;
      const configuration = files
        ? readDocuments(files).configuration
        : await exportFrom(connect(globalOptions(command)), { kinds: [...kinds] });
      const text = toModule(configuration);
      if (out === undefined) return void process.stdout.write(text);
      const isCurrent = existsSync(out) && readText(out) === text;
      const { json } = globalOptions(command);
      if (check) {
        if (json) printJson({ file: out, isCurrent });
        note(isCurrent ? `${out} is up to date.` : `${out} is out of date. Run gatehouse types --out ${out}.`);
        if (!isCurrent) process.exitCode = EXIT.changes;
        return;
      }
      try {
        if (!isCurrent) writeFileSync(out, text);
      } catch (error) {
        throw fileError(out, error);
      }
      if (json) printJson({ written: isCurrent ? [] : [out] });
      note(isCurrent ? `${out} is up to date.` : `Wrote ${out}.`);
    });
}
