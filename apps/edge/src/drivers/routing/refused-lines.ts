/** Lines of FRR's configuration that it refuses, and the objects of the state that they are of. Pure. */
import { ObjectsRefused } from "#drivers/refusals.ts";
import type { ConfigLine } from "./lines.ts";
import { withoutSecrets } from "./plan.ts";

export interface RefusedLines {
  /** By line of the file, from 0: why it is refused. */
  readonly lines: ReadonlyMap<number, string>;
  /**
   * Commands that a daemon refused together, by why: at least one of them is wrong, and lines after them may have been refused
   * for that alone.
   */
  readonly groups: ReadonlyMap<string, string>;
}

const ofLine = /^line (\d+): (.*)$/;
const failed = /^Failure to communicate\[/;
const grouped = /^The following commands were dynamically grouped/;
const description = "Error description: ";

/** @param output of `vtysh -f`, both its streams in one: the answer of a daemon comes before the line that it is of */
export const parseRefused = (output: string): RefusedLines => {
  const lines = new Map<number, string>();
  const groups = new Map<string, string>();
  let messages: string[] = [];
  let group: string | null = null;
  for (const text of output.split("\n").map((line) => line.trim())) {
    const [, number, rest = ""] = ofLine.exec(text) ?? [];
    if (number !== undefined) {
      group = null;
      const message =
        messages.find((candidate) => candidate.startsWith(description)) ?? messages[0];
      // A daemon that refuses a line says why; vtysh itself does in the line.
      const why = failed.test(rest) && message !== undefined ? message : rest;
      // "Warning" is of what a daemon took nevertheless.
      if (!rest.startsWith("Warning")) lines.set(Number(number) - 1, clean(why));
      messages = [];
    } else if (grouped.test(text)) {
      group = clean(
        messages.findLast((candidate) => candidate.startsWith(description)) ?? "refused",
      );
    } else if (group !== null && text.startsWith("- ")) groups.set(text.slice(2), group);
    else if (text !== "") {
      group = null;
      messages.push(text);
    }
  }
  return { lines, groups };
};

const clean = (why: string): string =>
  (why.startsWith(description) ? why.slice(description.length) : why).replace(/^% /, "");

/** Lines that are refused, with the reason of each. */
export type Blamed = ReadonlyMap<ConfigLine, string>;

/** @param sources what lines of the file are made of */
export const blamed = (
  { lines }: RefusedLines,
  sources: readonly (ConfigLine | undefined)[],
): Blamed =>
  new Map(
    [...lines].flatMap(([at, why]) => {
      const source = sources[at];
      return source ? [[source, why] as const] : [];
    }),
  );

/** @throws ObjectsRefused, or what FRR says of a line that no object is to be left out for */
export const throwRefused = (refused: Blamed): void => {
  const common = [...refused].find(([{ about }]) => about === undefined);
  if (common) throw new Error(`${withoutSecrets(common[0].line)}: ${common[1]}`);
  const objects = new Map(
    [...refused].flatMap(([{ about = [] }, why]) =>
      about.map((name) => [JSON.stringify(name), { about: name, why }] as const),
    ),
  );
  if (objects.size > 0) throw new ObjectsRefused([...objects.values()]);
};
