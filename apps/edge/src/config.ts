/** Every setting of the edge, in one table: the texts of `--help` are made from it. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { networkOf, parsePrefix, prefixText } from "@weft/contract/rules/address.ts";

interface Setting {
  /** Without the leading dashes. */
  readonly flag: string;
  readonly env: string;
  readonly type: "text" | "path" | "choice";
  /** Null: none. */
  readonly default: string | null;
  readonly choices?: readonly string[];
  readonly meaning: string;
}

export const settings = {
  data: {
    flag: "data",
    env: "WEFT_EDGE_DATA",
    type: "path",
    default: "/var/lib/weft-edge",
    meaning: "folder of keys, enrolment and the confirmed state",
  },
  run: {
    flag: "run",
    env: "WEFT_EDGE_RUN",
    type: "path",
    default: "/run/weft",
    meaning: "folder that a reboot empties: process ids and sockets of the daemons",
  },
  timezone: {
    flag: "timezone",
    env: "WEFT_EDGE_TIMEZONE",
    type: "text",
    default: null,
    meaning: "IANA name of the site's time zone; otherwise the system's",
  },
  claim: {
    flag: "claim",
    env: "WEFT_EDGE_CLAIM",
    type: "text",
    default: null,
    meaning: "claim text (weft1.…), for enrol",
  },
  claimFile: {
    flag: "claim-file",
    env: "WEFT_EDGE_CLAIM_FILE",
    type: "path",
    default: null,
    meaning: "file that holds the claim text, for enrol",
  },
  serial: {
    flag: "serial",
    env: "WEFT_EDGE_SERIAL",
    type: "text",
    default: null,
    meaning: "serial number; otherwise the machine's own",
  },
  manageFrom: {
    flag: "manage-from",
    env: "WEFT_EDGE_MANAGE_FROM",
    type: "text",
    default: "",
    meaning:
      "addresses and networks, separated by commas, that may reach SSH (port 22) by WAN links",
  },
  drift: {
    flag: "drift",
    env: "WEFT_EDGE_DRIFT",
    type: "choice",
    default: "heal",
    choices: ["heal", "flag"],
    meaning: "heal: correct what was changed on the device; flag: only report it",
  },
  fleet: {
    flag: "fleet",
    env: "WEFT_EDGE_FLEET",
    type: "path",
    default: null,
    meaning: "JSON list of {claim, serialNumber}, for simulate",
  },
  logLevel: {
    flag: "log-level",
    env: "WEFT_EDGE_LOG_LEVEL",
    type: "choice",
    default: "info",
    choices: ["debug", "info", "warn", "error"],
    meaning: "least level that is logged",
  },
} as const satisfies Record<string, Setting>;

export type Config = Readonly<Record<keyof typeof settings, string | null>> & {
  readonly data: string;
  readonly run: string;
  readonly manageFrom: string;
  readonly drift: "heal" | "flag";
  readonly logLevel: string;
};

export const commands = ["enrol", "run", "status", "leave", "simulate"] as const;
export type Command = (typeof commands)[number];

/** What was typed cannot be run; the message says why. */
export class UsageError extends Error {}

const rows: readonly (readonly [string, Setting])[] = Object.entries(settings);

/** As networks. Throws UsageError for what is none: a typing error must not shut the only way in. */
export const readNetworks = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const cidr = prefixText(part);
      if (parsePrefix(cidr) === null)
        throw new UsageError(`${part} is neither an address nor a network`);
      return networkOf(cidr);
    });

const check = ({ flag, choices, default: unset }: Setting, value: string | null): string | null => {
  if (value === "" && unset !== "") throw new UsageError(`--${flag} is empty`);
  if (value !== null && choices && !choices.includes(value))
    throw new UsageError(`--${flag} is one of ${choices.join(", ")}, not ${value}`);
  return value;
};

/** Flags win over the environment, the environment over defaults. Throws UsageError. */
export const readConfig = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): { readonly command: Command; readonly config: Config } => {
  const options = Object.fromEntries(
    rows.map(([, { flag }]) => [flag, { type: "string" as const }]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const [name, ...more] = parsed.positionals;
  const command = commands.find((command) => command === name);
  if (!command || more.length > 0) throw new UsageError(`one command of ${commands.join(", ")}`);
  const values = rows.map(([key, row]) => {
    const given = parsed.values[row.flag];
    const value = typeof given === "string" ? given : (env[row.env] ?? row.default);
    return [key, check(row, value)];
  });
  return { command, config: Object.fromEntries(values) as Config };
};

export const usage = (): string =>
  [
    `weft-edge ${commands.join(" | ")}`,
    ...rows.map(([, { flag, env, default: value, meaning }]) => {
      const left = `  --${flag}`.padEnd(16);
      return `${left}${env.padEnd(22)}${meaning}${value === null ? "" : ` (${value})`}`;
    }),
  ].join("\n");

// Names that makers write when they wrote none; a serial number of these identifies no device.
const blank =
  /^(|0+|none|default string|to be filled by o\.e\.m\.|not specified|system serial number)$/i;

/**
 * Serial number of this machine: what the maker wrote into the firmware, else the machine id that
 * the system made at its installation. Throws when there is neither.
 */
export const machineSerial = (
  files = ["/sys/class/dmi/id/product_serial", "/etc/machine-id"],
): string => {
  for (const file of files) {
    try {
      const text = readFileSync(file, "utf8").trim();
      if (text.length >= 4 && !blank.test(text)) return text.slice(0, 64);
    } catch {
      // Not on this machine: the next one.
    }
  }
  throw new UsageError("this machine has no serial number: set one with --serial");
};
