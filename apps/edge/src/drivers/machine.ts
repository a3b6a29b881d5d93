/** The real machine: the drivers over one Linux device, and the watch over what they started. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { globalAddresses, type IpLink, ipJson } from "#drivers/ip-json.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import { type Acceleration, createAcceleration } from "./acceleration/apply.ts";
import { findCapabilities } from "./capabilities.ts";
import { createClasses } from "./classes/apply.ts";
import type { ClassRouter } from "./classes/router.ts";
import { createClients } from "./client/apply.ts";
import { createCommands } from "./command/device-commands.ts";
import { Daemons } from "./daemon.ts";
import type { Device } from "./device.ts";
import { DeviceMeter } from "./device-meter.ts";
import { createResolver } from "./dns/apply.ts";
import { createFilters } from "./dns/filters.ts";
import type { AnyDriver, Capability, Driver, LineReport, Machine, Step } from "./driver.ts";
import { createRun, type Run } from "./exec.ts";
import { createFirewall } from "./firewall/apply.ts";
import { createFlows } from "./flows/apply.ts";
import { findForeignObjects } from "./foreign-objects.ts";
import { createIsolation } from "./isolation/apply.ts";
import { watchKernel } from "./kernel-watch.ts";
import { createPaths, type Paths } from "./paths/apply.ts";
import type { Rank } from "./paths/choice.ts";
import { createProbes, type Probes } from "./probe/apply.ts";
import { parseReceived } from "./probe/listen.ts";
import { Refusals } from "./refusals.ts";
import { Repairs } from "./repairs.ts";
import { createRouting } from "./routing/apply.ts";
import type { DriverName } from "./section-drivers.ts";
import { createSegments, type Segments } from "./segment/apply.ts";
import { createShaping } from "./shaping/apply.ts";
import { createStandby } from "./standby/apply.ts";
import { createTunnels } from "./tunnel/apply.ts";
import { createUnderlay, type Underlay } from "./underlay/apply.ts";
import { readIpv6State } from "./underlay/ipv6-client.ts";
import { giveBackSettings } from "./underlay/kernel-settings.ts";
import { clientsOf, readLeases } from "./underlay/lease.ts";
import type { Silence } from "./underlay/line-health.ts";
import { watchLines } from "./underlay/line-watch.ts";
import { readInterfaces } from "./underlay/observe.ts";
import type { TunnelKind } from "./wireguard.ts";
import { createQueue, type WorkQueue } from "./work-queue.ts";

/** Interfaces that are no cable: their own, a link's, a container's. */
const inner = /^(lo|w[lx]\d+|docker|br-|virbr)/;

/**
 * What the device's interfaces show now.
 * @param silent lines that lead nowhere although they are plugged
 */
const readLines = async (device: Device, silent: readonly Silence[]): Promise<LineReport[]> => {
  const leased = new Set(clientsOf(device));
  const links = await ipJson<IpLink>(device.run, ["addr"]);
  return links
    .filter(({ ifname }) => !inner.test(ifname))
    .map((link) => {
      const [address = null] = globalAddresses(link);
      const addressing = leased.has(link.ifname) ? "dhcp" : address === null ? null : "static";
      const up = link.flags.includes("LOWER_UP");
      const isSilent = silent.some(({ interfaceName }) => interfaceName === link.ifname);
      return { interfaceName: link.ifname, addressing, address, up, isSilent };
    });
};

export interface MachineOptions {
  /** Kept over reboots. */
  readonly dataDir: string;
  readonly log: Log;
  /** host:port of controllers that the management path must always reach. */
  readonly controllers: readonly string[];
  /** WireGuard private key of this device, base64. */
  readonly tunnelPrivateKey: string;
  /** IANA name; the device's own when it is left out. */
  readonly siteTz?: string | null;
  /** Networks that may reach SSH of the device by its lines; none by default. */
  readonly manageFrom?: readonly string[];
  /** Kept until a reboot; FRR's files go to the folder of the same name with "-frr". */
  readonly runDir?: string;
  /** Wall clock, ms since 1970; a fake one plays another time in tests. */
  readonly now?: () => number;
  /** Starts tools; a fake one plays another kernel in tests. */
  readonly run?: Run;
}

/** Every so often the machine checks whether what it started still lives. */
const tendMs = 250;
/**
 * Of what the kernel does not report (settings of WireGuard and FRR, of the kernel itself) a check every minute
 * is enough: each one starts some twenty programs.
 */
const checkMs = 60_000;
/** Failed repairs are tried again after a pause that doubles up to this. */
const maxPauseMs = 30_000;

const queued = <Part, Found, Own extends Step>(
  queue: WorkQueue,
  driver: Driver<Part, Found, Own>,
): Driver<Part, Found, Own> => ({
  name: driver.name,
  pick: (state) => driver.pick(state),
  validate: (part) => driver.validate(part),
  observe: (part) => queue(`${driver.name}: look`, () => driver.observe(part)),
  plan: (part, observed) => driver.plan(part, observed),
  run: (step, part) => queue(`${driver.name}: ${step.summary}`, () => driver.run(step, part)),
});

const createDevice = (options: MachineOptions): Device => {
  const runDir = options.runDir ?? "/run/weft";
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  mkdirSync(runDir, { recursive: true, mode: 0o755 });
  const siteTz = options.siteTz ?? null;
  return {
    run: options.run ?? createRun(siteTz === null ? {} : { TZ: siteTz }),
    log: options.log,
    daemons: new Daemons(`${runDir}/daemons`),
    repairs: new Repairs(),
    dataDir: options.dataDir,
    runDir,
    controllers: options.controllers,
    manageFrom: options.manageFrom ?? [],
    tunnelPrivateKey: options.tunnelPrivateKey,
    now: options.now ?? (() => Date.now()),
    siteTz,
  };
};

/** Which WireGuard the links get; throws when there is none. */
const tunnelKind = (capabilities: readonly Capability[]): TunnelKind => {
  const of = (name: string) => capabilities.find((capability) => capability.name === name);
  if (of("wireguard.kernel")?.can) return "kernel";
  if (of("wireguard.user")?.can) return "user";
  throw new Error(`no WireGuard: ${of("wireguard.user")?.reason ?? "not looked for"}`);
};

/** Looked for once: what a kernel and its tools can do does not change under a running program. */
const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  let value: Promise<Value> | null = null;
  return () => {
    value ??= read();
    return value;
  };
};

const interfacesOf = async (device: Device): Promise<ReadonlyMap<string, readonly string[]>> => {
  const interfaces = Object.entries(await readInterfaces(device));
  return new Map(interfaces.map(([name, { addresses }]) => [name, addresses]));
};

interface Tended {
  readonly name: string;
  tend(): Promise<void>;
}

/** The watch over one driver's programs, which does not hammer on what fails each time. */
const withBackoff = (device: Device, queue: WorkQueue, watched: Tended): (() => Promise<void>) => {
  let pauseMs = 0;
  let notBefore = 0;
  return async () => {
    if (performance.now() < notBefore) return;
    try {
      await queue(`${watched.name}: watch`, () => watched.tend());
      pauseMs = 0;
    } catch (error) {
      pauseMs = Math.min(Math.max(tendMs, pauseMs * 2), maxPauseMs);
      notBefore = performance.now() + pauseMs;
      const reported = { driver: watched.name, why: reasonOf(error), pauseMs };
      device.log.error(reported, "could not be repaired");
    }
  };
};

/** The watch over what the drivers started; a round that takes longer is not joined by a second. */
const tending = (device: Device, queue: WorkQueue, tended: readonly Tended[]) => {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  const tends = tended.map((watched) => withBackoff(device, queue, watched));
  const round = async (): Promise<void> => {
    device.daemons.trimLogs();
    for (const tend of tends) await tend();
  };
  return {
    start: (): void => {
      timer = setInterval(() => {
        running ??= round().finally(() => {
          running = null;
        });
      }, tendMs);
    },
    stop: async (): Promise<void> => {
      if (timer) clearInterval(timer);
      await running;
    },
  };
};

interface Watched {
  readonly acceleration: Acceleration;
  readonly probes: Probes;
  readonly segments: Segments;
  readonly underlay: Underlay;
}

/** What the kernel and the links' paths say of themselves. */
const watches = (
  { acceleration, probes, segments, underlay }: Watched,
  endLost: () => void,
): Pick<
  Machine,
  "checkMs" | "pathMtus" | "deadIpv6" | "cutSegments" | "cutExits" | "watchLines" | "watchKernel"
> => ({
  checkMs,
  pathMtus: () => probes.pathMtus(),
  deadIpv6: () => probes.deadIpv6(),
  cutSegments: () => segments.cutSegments(),
  cutExits: () => acceleration.cutExits(),
  watchLines: (changed) => {
    const ends = [
      watchLines(() => {
        probes.linesChanged();
        underlay.linesChanged();
        endLost();
        changed();
      }),
      underlay.watchSilent(changed),
      acceleration.watchExits(endLost),
    ];
    return () => {
      for (const end of ends) end();
    };
  },
  watchKernel: (changed) => {
    const ends = [
      watchKernel(changed),
      probes.watchPaths(changed),
      underlay.watchSilent(changed),
      segments.watchSegments(changed),
      acceleration.watchExits(changed),
    ];
    return () => {
      for (const end of ends) end();
    };
  },
});

/** Packets of the device's own interfaces, and those that links of spaces received. */
const packetsOf = (probes: Probes): ReadonlyMap<string, number> =>
  new Map([...parseReceived(readFileSync("/proc/self/net/dev", "utf8")), ...probes.received()]);

const choosePaths = (
  device: Device,
  probes: Probes,
  prefer: (ranks: ReadonlyMap<number, Rank>) => Promise<void>,
  classes: ClassRouter,
): Paths =>
  createPaths(device, {
    classes,
    answers: () => probes.verdicts(),
    packets: () => packetsOf(probes),
    prefer,
  });

const strangersOf = ({ run }: Device, { underlay: { lans } }: DesiredState) =>
  findForeignObjects(
    run,
    lans.flatMap(({ addresses }) => addresses.map(networkOf)),
  );

/** Drivers that decide which way traffic takes, by what the links show. */
const createWays = (device: Device, queue: WorkQueue) => {
  const probes = createProbes(device);
  const standby = createStandby(device, () => probes.verdicts());
  const routing = createRouting(device, standby.standsBy);
  const classes = createClasses(device);
  const prefer = (ranks: ReadonlyMap<number, Rank>) =>
    queue("routing: prefer links", () => routing.prefer(ranks));
  const paths = choosePaths(device, probes, prefer, classes.router);
  return { probes, standby, routing, classes, paths };
};

const refusalsOf = ({ dataDir }: Device): Refusals => new Refusals(join(dataDir, "refused.json"));

/** A machine whose drivers are this device's kernel and tools. Needs root; touches nothing yet. */
export const createMachine = (options: MachineOptions): Machine => {
  const device = createDevice(options);
  const queue = createQueue(device.log);
  const capabilities = once(() => findCapabilities(device.run));
  const kind = async () => tunnelKind(await capabilities());
  const tunnels = createTunnels(device, kind);
  const clients = createClients(device, kind);
  const { probes, standby, routing, classes, paths } = createWays(device, queue);
  const endLost = (): void => {
    queue("firewall: follow WAN links", () => firewall.linesChanged()).catch((error: unknown) =>
      device.log.warn({ err: error }, "flows of a WAN link that is gone are not ended"),
    );
  };
  const underlay = createUnderlay(device, { links: () => probes.verdicts(), left: endLost });
  const firewall = createFirewall(device, () => underlay.leftTables());
  const resolver = createResolver(device);
  const filters = createFilters(device);
  const segments = createSegments(device);
  const acceleration = createAcceleration(device);
  const flows = createFlows(device);
  const meter = new DeviceMeter();
  const commands = createCommands(device);
  const commanded = once(() => commands.capabilities());
  let isFair = false;
  const shaping = createShaping(device, () => isFair);
  const tended = [
    underlay,
    firewall,
    tunnels,
    clients,
    standby,
    routing,
    segments,
    acceleration,
    probes,
    paths,
    resolver,
    filters,
    shaping,
  ];
  const tend = tending(device, queue, tended);
  // Before the lines: what would leave by a new default route is held before that route exists.
  const drivers: Readonly<Record<DriverName, AnyDriver>> = {
    isolation: createIsolation(device),
    underlay,
    firewall,
    tunnel: tunnels,
    client: clients,
    standby,
    routing,
    segment: segments,
    acceleration,
    probe: probes,
    paths,
    dns: resolver,
    filters,
    shaping,
    classes,
    flows,
  };
  return {
    drivers: Object.values(drivers).map((driver): AnyDriver => queued(queue, driver)),
    commands,
    repairs: device.repairs,
    refusals: refusalsOf(device),
    capabilities: async () => [...(await capabilities()), ...(await commanded())],
    interfaces: () => interfacesOf(device),
    leases: async () => readLeases(device),
    ipv6: () => readIpv6State(device),
    ipv6Lines: (now) => underlay.ipv6Lines(now),
    lines: (): Promise<LineReport[]> => readLines(device, underlay.silentLines()),
    silentLines: () => underlay.silentLines(),
    controllers: () => underlay.controllers(),
    measures: () => probes.measures(),
    verdicts: () => probes.verdicts(),
    ...firewall.reports,
    ...resolver.reports,
    filterFailure: () => filters.failure(),
    ...standby.reports,
    ...paths.reports,
    flows: flows.records,
    silentRouters: () => routing.silentRouters(),
    ...watches({ acceleration, probes, segments, underlay }, endLost),
    strangers: (state) => strangersOf(device, state),
    metrics: async () =>
      meter.read((await readLines(device, [])).map((line) => line.interfaceName)),
    giveBack: () => queue("give settings back", () => giveBackSettings(device)),
    start: async () => {
      isFair = (await capabilities()).some(({ name, can }) => can && name === "qdisc.fq_codel");
      tend.start();
    },
    stop: async () => {
      await tend.stop();
      await commands.close();
      await queue("stop", () =>
        Promise.all([probes, paths, underlay, flows].map((driver) => driver.stop())),
      );
    },
  };
};
