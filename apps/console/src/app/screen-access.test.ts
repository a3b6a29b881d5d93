/**
 * Whether the calls of each screen are open to a user who has what opens the screen and nothing else: read from the menu,
 * from what the calls ask for, and from the code of the screen.
 */
import { dirname, join, relative } from "node:path";
import { accessText } from "@weft/contract/access.ts";
import { neededFor } from "@weft/contract/grants.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import type { AnyResource, Verb } from "@weft/contract/kernel/resource.ts";
import { menu } from "@weft/contract/menu.ts";
import { holds, type Needed } from "@weft/contract/permissions.ts";
import { beforeAll, expect, test } from "vitest";
import { codeFrom, importersIn, reachedFrom, textsIn, type Use, usesOf } from "./test/code-use.ts";
import { viewOf } from "./views.ts";

const code = codeFrom("src/main.tsx", /kernel-show/);
const importers = importersIn(code);

const flat = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);

/** The file of a screen: its loader names it; empty: it is made by a function of another file. */
const fileOf = (view: string): string => {
  const named = /\("\/(apps\/console\/src\/[^"]+)"\)/.exec(String(viewOf(view)))?.[1];
  return named === undefined ? "" : join(import.meta.dirname, "../../../..", named);
};

const isCall = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "successCode" in value;
const isResource = (value: unknown): value is AnyResource =>
  typeof value === "object" && value !== null && "ops" in value && "verbs" in value;

interface OfFile {
  /** Calls that it makes, or hands on. */
  readonly calls: ReadonlySet<Endpoint>;
  /** Grants that it asks for: by name, or as what a call needs. */
  readonly asked: ReadonlySet<string>;
}

const grantsOf = ({ may }: Pick<Endpoint, "may">): readonly string[] => {
  if (may === null) return [];
  if (typeof may === "string") return [may];
  return "open" in may ? [] : may.anyOf;
};

/** A resource that is handed on as a whole is a list; its buttons ask for what they need. */
function callsOf(value: unknown, { field, inner }: Use): Endpoint[] {
  if (isCall(value)) return field === null ? [value] : [];
  if (!isResource(value)) return [];
  const verb = (field === null ? "list" : field === "ops" ? inner : null) as Verb | null;
  return verb !== null && value.verbs.includes(verb) ? [value.ops[verb] as Endpoint] : [];
}

function askedBy(value: unknown, { field, inner }: Use): readonly string[] {
  if (field !== "may") return [];
  if (isCall(value)) return grantsOf(value);
  if (!isResource(value)) return [];
  const verbs = inner === null ? value.verbs : [inner as Verb];
  return verbs.flatMap((verb) => grantsOf(value.ops[verb] as Endpoint));
}

const modules = new Map<string, Promise<Record<string, unknown>>>();
const moduleOf = (name: string): Promise<Record<string, unknown>> => {
  const known = modules.get(name) ?? (import(name) as Promise<Record<string, unknown>>);
  modules.set(name, known);
  return known;
};

async function read(file: string): Promise<OfFile> {
  const parsed = code.get(file);
  if (parsed === undefined) throw new Error(`${file} is no code of the console`);
  const calls = new Set<Endpoint>();
  const own = new Map([[file, parsed]]);
  // Paths of screens are texts of links as well.
  const asked = new Set([...textsIn(own)].filter((text) => !text.startsWith("/")));
  for (const use of usesOf(own, "@weft/contract/")) {
    const module = await moduleOf(use.module);
    const value = use.name === null ? module : module[use.name];
    for (const call of callsOf(value, use)) calls.add(call);
    for (const grant of askedBy(value, use)) asked.add(grant);
  }
  return { calls, asked };
}

const isReading = ({ method, acts }: Endpoint): boolean => method === "GET" && !acts;

/** Whether a user with this and nothing else may make the call. */
const isOpenTo = (needed: Needed, { may, mayInstead }: Endpoint): boolean => {
  const holder = { userId: 2, authorities: [needed as string] };
  return holds(holder, may) || (mayInstead !== undefined && holds(holder, mayInstead.may));
};

/** Files above a file, within what the screen loads, and those that stand beside these: their buttons and columns. */
function filesThatAsk(file: string, reached: ReadonlySet<string>): ReadonlySet<string> {
  const above = new Set<string>();
  const files = [file];
  for (let at = files.pop(); at !== undefined; at = files.pop()) {
    if (above.has(at) || !reached.has(at)) continue;
    above.add(at);
    files.push(...(importers.get(at) ?? []));
  }
  const folders = new Set([...above].map((one) => dirname(one)));
  return new Set([...reached].filter((one) => above.has(one) || folders.has(dirname(one))));
}

/** Calls that no code asks about, since what the page is about decides between them. */
const decided: Readonly<Record<string, string>> = {
  "domains/devices/cpe/cpe-list.tsx": "parts of files: ListFiles asks for each of them",
  "domains/policies/parts/policy/choices.ts": "a template's call with a template, else the node's",
  "domains/policies/parts/policy/policy-effect.ts": "the same",
  "domains/policies/parts/policy/use-capabilities.ts": "the same",
};

/** Acting calls that no code names the grant of. */
const decidedToAct: Readonly<Record<string, string>> = {
  "domains/access/api-key/api-key-page.tsx":
    "names the input of the call that adds, which is the form's; the button of the list asks",
  "domains/access/identity-provider/identity-provider-page.tsx": "the same",
  "domains/access/user/user-page.tsx": "the same",
};

const inSource = (file: string): string => relative(join(import.meta.dirname, ".."), file);

interface Screen {
  readonly path: string;
  readonly view?: string | undefined;
  readonly needed: Needed;
  readonly file: string;
}

const screens: readonly Screen[] = flat(menu).flatMap((node) => {
  const needed = neededFor(node);
  return node.view === undefined || needed === null
    ? []
    : [{ path: node.path, view: node.view, needed, file: fileOf(node.view) }];
});
const files = new Map<string, OfFile>();
beforeAll(async () => {
  for (const file of code.keys()) files.set(file, await read(file));
}, 600_000);

/** Calls of screens that who has what opens the screen may not make, and that no code asks about: with a screen of each. */
function closedCalls(
  isWanted: (call: Endpoint) => boolean,
  exceptions: Readonly<Record<string, string>>,
): { readonly closed: Readonly<Record<string, string>>; readonly used: readonly string[] } {
  const closed = new Map<string, string>();
  const used = new Set<string>();
  for (const { path, needed, file } of screens) {
    const reached = reachedFrom(code, file);
    for (const one of reached) {
      const calls = [...(files.get(one)?.calls ?? [])].filter(
        (call) => isWanted(call) && !isOpenTo(needed, call),
      );
      if (calls.length === 0) continue;
      const asking = [...filesThatAsk(one, reached)];
      for (const call of calls) {
        const isAsked = grantsOf(call).some((grant) =>
          asking.some((at) => files.get(at)?.asked.has(grant)),
        );
        if (isAsked) continue;
        const source = inSource(one);
        if (source in exceptions) used.add(source);
        else closed.set(`${call.id} (${accessText(call.may)}) of ${source}`, path);
      }
    }
  }
  return { closed: Object.fromEntries(closed), used: [...used].sort() };
}

test("each screen of the menu has a file whose calls are looked at", () => {
  // A screen whose loader names no file would pass in silence.
  const lost = screens.filter(({ file }) => !code.has(file)).map(({ view }) => view);
  expect(lost.filter((view) => !/^(Saas|Template)/.test(view ?? ""))).toEqual([]);
});

test("each read of a screen is allowed by the grant that opens the screen, or the code checks the permission first", {
  timeout: 600_000,
}, () => {
  const { closed, used } = closedCalls(isReading, decided);
  expect(closed).toEqual({});
  expect(used).toEqual(Object.keys(decided).sort());
});

test("each button is shown only with the permission that its call needs", {
  timeout: 600_000,
}, () => {
  const { closed, used } = closedCalls((call) => !isReading(call), decidedToAct);
  expect(closed).toEqual({});
  expect(used).toEqual(Object.keys(decidedToAct).sort());
});
