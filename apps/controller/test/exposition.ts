/** What a scrape says, read from the text format of Prometheus (exposition format 0.0.4). */
export interface Family {
  readonly type: string;
  readonly help: string;
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  /** By the name in TYPE: a histogram has one family for its three names. */
  readonly families: ReadonlyMap<string, Family>;
  readonly samples: readonly Sample[];
  /** Value of the only sample with these labels, of those that it may have; undefined: none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** @throws Error at a line that is none of the format */
export function readExposition(text: string): Scrape {
  const help = new Map<string, string>();
  const families = new Map<string, Family>();
  const samples: Sample[] = [];
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === "HELP") help.set(name, rest);
    else if (kind === "TYPE") families.set(name, { type: rest, help: help.get(name) ?? "" });
    else samples.push(readSample(line));
  }
  return {
    families,
    samples,
    value: (name, labels = {}) =>
      samples.find(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      )?.value,
  };
}

function readSample(line: string): Sample {
  const [, name, labels = "", value] = sampleLine.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(labelPair)].map(([, key = "", text = ""]) => [key, text]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}
