import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of the other programs of this repository, which may be in the same environment. */
const others =
  /^WEFT_(?:EDGE_(?:VERSION|DATA|SERIAL|TIMEZONE|RUN|LOG_LEVEL|FLEET|DRIFT|CLAIM|CLAIM_FILE)|CRAWL|(?:TEST|LAB)_.*)$/;

/**
 * The environment without what Kubernetes adds for a service called "weft", "weft-edge" and the like
 * (service links): WEFT_SERVICE_HOST, WEFT_PORT=tcp://10.0.0.1:80, WEFT_PORT_80_TCP_ADDR and so on.
 */
export function withoutServiceLinks(env: Environment): Environment {
  const services = Object.keys(env).flatMap(
    (name) => /^(WEFT(?:_[A-Z0-9]+)*)_SERVICE_HOST$/.exec(name)?.[1] ?? [],
  );
  const isLink = (name: string, value = ""): boolean =>
    services.some((service) => {
      if (!name.startsWith(`${service}_`)) return false;
      const rest = name.slice(service.length + 1);
      if (rest === "PORT") return /^(tcp|udp|sctp):\/\//.test(value);
      return /^(SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)|PORT_\d+_(TCP|UDP|SCTP)(_[A-Z]+)?)$/.test(rest);
    });
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isLink(name, value)));
}

/**
 * Refuses variables that look like a setting and are none: a typing error would otherwise run with
 * the default in silence.
 * @param known names of all settings
 * @param secrets those that may be given as a file
 * @throws Error naming the variable and the nearest setting
 */
export function refuseUnknown(
  env: Environment,
  known: readonly string[],
  secrets: readonly string[],
): void {
  const names = [...known, ...secrets.map(fileName)];
  for (const name of Object.keys(env)) {
    if (!name.startsWith("WEFT_") || names.includes(name) || others.test(name)) continue;
    const nearest = names.toSorted((a, b) => distance(name, a) - distance(name, b))[0];
    throw new Error(`${name}: unknown setting; did you mean ${nearest}?`);
  }
}

/** Name of the variable that names a file with the setting's value. */
const fileName = (name: string): string => `${name}_FILE`;

/**
 * The environment with the secrets that lie in files, as container platforms hand them in. One line
 * end at the end of a file is no part of the secret.
 * @throws Error naming the variable, when both forms are given or the file cannot be read
 */
export function withSecretFiles(env: Environment, secrets: readonly string[]): Environment {
  const secretValues: Record<string, string> = {};
  for (const name of secrets) {
    const file = env[fileName(name)]?.trim();
    if (!file) continue;
    if (env[name])
      throw new Error(`${name} and ${fileName(name)} are both set: remove one of them.`);
    try {
      secretValues[name] = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(`${fileName(name)}: ${file} cannot be read (${code}).`, { cause: error });
    }
  }
  return { ...env, ...secretValues };
}

/** How many characters have to be added, removed or changed (Levenshtein). */
function distance(text: string, two: string): number {
  let before = Array.from({ length: two.length + 1 }, (_, index) => index);
  for (const [row, character] of [...text].entries()) {
    const now = [row + 1];
    for (const [column, other] of [...two].entries()) {
      const changed = (before[column] ?? 0) + (character === other ? 0 : 1);
      now.push(Math.min(changed, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    before = now;
  }
  return before[two.length] ?? 0;
}
