/**
 * Resolvers that deny names, one for each class of hosts (ADR 0045): the firewall sends them what those hosts ask any
 * server. Where one cannot run its hosts get no answers, and the rest of the state acts. One is started before the firewall
 * sends hosts to it and ended after none is sent there, and reads other names while it runs: no query is lost by that.
 */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { filtersOf, type NameFilter, rulesAtTime } from "@weft/contract/device/v1/name-filters.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { addressOf } from "@weft/contract/rules/address.ts";
import { waitUntil } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import { type Driver, phases, type Step } from "#drivers/driver.ts";
import { replaceFile, textOf } from "#drivers/replace-file.ts";
import { reasonOf } from "#edge/log.ts";
import { digestIn, type FilterFiles, renderDenied, renderFilter } from "./filters-render.ts";

/** One of them. */
interface FilterPart {
  readonly name: string;
  readonly config: string;
  readonly files: FilterFiles;
  readonly rules: NameFilter["rules"];
  /** Of what its list of names is made of. */
  readonly digest: string;
}

export interface FiltersPart {
  readonly filters: readonly FilterPart[];
  /** Addresses of the resolver of the LANs. */
  readonly resolvers: readonly string[];
  /** With the times of rules. */
  readonly policy: DesiredState["policy"];
}

export interface FoundFilter {
  readonly name: string;
  /** Configuration that the running program was started with; null: none runs. */
  readonly running: string | null;
  /** The file as it is; null: there is none. */
  readonly config: string | null;
  /** Of what its list of names is made of; null: there is none. */
  readonly digest: string | null;
  /** Configuration that it does not run with: the watch tries it again. */
  readonly failed: string | null;
}

export interface FilterStep extends Step {
  readonly driver: "filters";
  readonly kind: "serve" | "list" | "end";
  /** Which of them. */
  readonly filter: string;
}

export interface Filters extends Driver<FiltersPart, readonly FoundFilter[], FilterStep> {
  /** Starts again what died, and changes what is denied when a time begins or ends. */
  tend(): Promise<void>;
  /** Why hosts get no names although they should; null: nothing is wrong. */
  failure(): string | null;
}

const prefix = "names-";
/** Rounds of the watch (each a quarter of a second) between two looks at the clock. */
const clockRounds = 4;
/** It binds its sockets within milliseconds; the check of IPv6 addresses for duplicates takes a second or two. */
const startMs = 5_000;

const folderOf = ({ runDir }: Pick<Device, "runDir">): string => join(runDir, "names");

const pickFilters = (state: DesiredState | null, folder: string): FiltersPart => {
  const lans = state?.underlay.lans.filter(({ vlan }) => vlan === 0) ?? [];
  const names = [...new Set(lans.map(({ interfaceName }) => interfaceName))];
  const resolvers = [...new Set(lans.flatMap(({ addresses }) => addresses.map(addressOf)))];
  if (state === null || names.length === 0) return { filters: [], resolvers, policy: undefined };
  const { times = [], timeZone = "" } = state.policy ?? {};
  const digestOf = (rules: NameFilter["rules"]): string =>
    createHash("sha256")
      .update(canonicalJson([rules, times, timeZone, resolvers]))
      .digest("hex");
  return {
    resolvers,
    policy: state.policy,
    filters: filtersOf(state).map(({ rules, port }) => {
      const name = `${prefix}${port}`;
      const files = {
        config: join(folder, `${name}.conf`),
        servers: join(folder, `${name}.servers`),
        pid: join(folder, `${name}.pid`),
      };
      const config = renderFilter(port, names, files);
      return { name, files, rules, config, digest: digestOf(rules) };
    }),
  };
};

const step = (kind: FilterStep["kind"], filter: string, summary: string): FilterStep => ({
  driver: "filters",
  kind,
  filter,
  phase: kind === "end" ? phases.dns : phases.filters,
  summary,
});

const planFilters = ({ filters }: FiltersPart, observed: readonly FoundFilter[]): FilterStep[] => {
  const wanted = new Set(filters.map(({ name }) => name));
  const serve = filters.flatMap(({ name, config, digest }) => {
    const running = observed.find((program) => program.name === name);
    if (running?.failed === config) return [];
    if (running?.running !== config || running.config !== config)
      return [step("serve", name, `deny names to hosts by ${name}`)];
    return running.digest === digest ? [] : [step("list", name, `give ${name} its other names`)];
  });
  const end = observed.flatMap(({ name }) =>
    wanted.has(name) ? [] : [step("end", name, `end ${name}, which denied names to hosts`)],
  );
  return [...serve, ...end];
};

/** Read by the program after it gave up its rights. */
const write = (file: string, text: string): void => replaceFile(file, text, 0o644);

export const createFilters = (device: Device): Filters => {
  const { daemons } = device;
  const folder = folderOf(device);
  let wanted: FiltersPart = { filters: [], resolvers: [], policy: undefined };
  let rounds = 0;
  const failed = new Map<string, { readonly config: string; readonly why: string }>();
  /** Of the list of each resolver: its digest, and the rules that acted when it was written. */
  const lists = new Map<string, { readonly digest: string | null; readonly key: string | null }>();

  const actingIn = ({ rules }: FilterPart) => rulesAtTime(rules, wanted.policy, device.now());
  const keyOf = (part: FilterPart): string =>
    actingIn(part)
      .map(({ id }) => id)
      .join();
  /** True when the list is another one than the file has. */
  const writeDenied = (part: FilterPart): boolean => {
    const text = renderDenied(actingIn(part), wanted.resolvers, part.digest);
    lists.set(part.name, { digest: part.digest, key: keyOf(part) });
    if (textOf(part.files.servers) === text) return false;
    write(part.files.servers, text);
    return true;
  };
  const list = (part: FilterPart): void => {
    if (writeDenied(part)) daemons.signal(part.name, "SIGHUP");
  };

  /** Throws with what the program printed when it does not run with this configuration. */
  const serve = async (part: FilterPart): Promise<void> => {
    const { name, config, files } = part;
    await daemons.stop(name);
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    rmSync(files.pid, { force: true });
    write(files.config, config);
    writeDenied(part);
    // With -k it stays in the foreground; its process id is written when its sockets are open.
    daemons.start(name, ["dnsmasq", "-k", `--conf-file=${files.config}`], config);
    const pid = daemons.record(name)?.pid;
    await waitUntil(
      name,
      () => {
        if (!daemons.isAlive(name)) throw new Error(daemons.lastOutput(name) || `${name} ended`);
        return textOf(files.pid)?.trim() === `${pid}`;
      },
      startMs,
    );
  };
  const start = async (part: FilterPart): Promise<void> => {
    try {
      await serve(part);
      failed.delete(part.name);
    } catch (error) {
      await daemons.stop(part.name, 0);
      const why = reasonOf(error).replaceAll(/\s+/g, " ").slice(0, 200);
      failed.set(part.name, { config: part.config, why });
      throw error;
    }
  };
  const end = async (name: string): Promise<void> => {
    await daemons.stop(name);
    failed.delete(name);
    for (const kind of ["conf", "servers", "pid"])
      rmSync(join(folder, `${name}.${kind}`), { force: true });
    if (wanted.filters.length === 0) rmSync(folder, { recursive: true, force: true });
  };
  const tendOne = async (part: FilterPart): Promise<void> => {
    const { name, config, digest } = part;
    if (failed.get(name)?.config === config) return start(part);
    // Another configuration, or another list, belongs to a state that is being applied at the moment.
    const listed = lists.get(name);
    if (daemons.record(name)?.want !== config || listed?.digest !== digest) return;
    if (!daemons.isAlive(name)) {
      await start(part);
      return device.repairs.add("dns", name);
    }
    const isSame = rounds % clockRounds !== 0 || listed.key === keyOf(part);
    if (!isSame) list(part);
  };
  return {
    name: "filters",
    pick: (state) => pickFilters(state, folder),
    validate: async () => {},
    observe: async (part) => {
      wanted = part;
      const names = [...part.filters.map(({ name }) => name), ...daemons.names(prefix)];
      for (const name of lists.keys())
        if (!part.filters.some((filter) => filter.name === name)) lists.delete(name);
      return [...new Set(names)].flatMap((name) => {
        const isThere = daemons.names(prefix).includes(name);
        const config = textOf(join(folder, `${name}.conf`));
        const running = daemons.isAlive(name) ? (daemons.record(name)?.want as string) : null;
        const digest = digestIn(textOf(join(folder, `${name}.servers`)) ?? "");
        // Of one that an edge before this one wrote, the rules that acted are not known.
        if (lists.get(name)?.digest !== digest) lists.set(name, { digest, key: null });
        return isThere || config !== null
          ? [{ name, running, config, digest, failed: failed.get(name)?.config ?? null }]
          : [];
      });
    },
    plan: planFilters,
    run: async ({ kind, filter }, part) => {
      wanted = part;
      const wantedFilter = part.filters.find(({ name }) => name === filter);
      if (kind === "end" || !wantedFilter) return end(filter);
      if (kind === "list") return list(wantedFilter);
      // Forwarding does not depend on it: what is wrong is a finding, and the watch tries again.
      await start(wantedFilter).catch((error: unknown) =>
        device.log.error({ why: reasonOf(error) }, "hosts that are denied names have no resolver"),
      );
    },
    tend: async () => {
      rounds += 1;
      const outcomes = [];
      for (const part of wanted.filters)
        outcomes.push(
          await tendOne(part).then(
            () => null,
            (error: unknown) => ({ error }),
          ),
        );
      // One that cannot run keeps no other from being tended.
      const first = outcomes.find((outcome) => outcome !== null);
      if (first) throw first.error;
    },
    failure: () => wanted.filters.flatMap(({ name }) => failed.get(name)?.why ?? [])[0] ?? null,
  };
};
