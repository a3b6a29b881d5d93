/**
 * The one place of every test file: the group that runs it, and why it is not in `npm test` where it is not.
 * vitest.config.ts makes a project of each group, and `npm run tables` writes docs/testing.md from it.
 */

import { globSync } from "node:fs";
import { root } from "./repository.ts";

/** How a group's files share the machine. */
export type Sharing =
  /** Threads without isolation: files share modules, and each has a database of its own where it needs one. */
  | "threads"
  /** Two processes at a time: each file has an installation or a network of its own and mostly waits for it. */
  | "pairs"
  /** One file at a time. */
  | "alone";

export interface TestGroup {
  readonly name: string;
  /**
   * `npm test` runs the groups of a stage as one step; "full": only `npm run test:full` runs the group; "campaign": the
   * campaign of its name does.
   */
  readonly stage: "unit" | "lab" | "browser" | "full" | "campaign";
  readonly sharing: Sharing;
  /** What its files have in common; for a group of "full" also why they do not gate. */
  readonly why: string;
  /** All test files below these folders that no group names. */
  readonly folders?: readonly string[];
  /** Files by name, with the reason of each where `why` does not give it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Modules that Vitest runs before the first file and after the last one. */
  readonly globalSetup?: string;
  /** True: starts from the prepared demonstration. */
  readonly needsDemonstration?: boolean;
}

const controllerSetup = "apps/controller/test/global-setup.ts";
const sharedDemonstration = "e2e/test/demonstration.ts";

export const testGroups: readonly TestGroup[] = [
  {
    name: "contract",
    stage: "unit",
    sharing: "threads",
    why: "schemas and rules of the contract",
    folders: ["packages/contract"],
  },
  {
    name: "controller",
    stage: "unit",
    sharing: "threads",
    why: "the controller against PostgreSQL: tenancy, permissions, rules, compiled states",
    folders: ["apps/controller"],
    globalSetup: controllerSetup,
  },
  {
    name: "edge",
    stage: "unit",
    sharing: "threads",
    why: "plans, renderings and parsers of the edge, without a kernel",
    folders: ["apps/edge"],
  },
  {
    name: "console",
    stage: "unit",
    sharing: "threads",
    why: "components and view models of the console",
    folders: ["apps/console"],
  },
  {
    name: "tools",
    stage: "unit",
    sharing: "threads",
    why: "the repository's own rules and commands, bench, simulator, descriptions of labs",
    folders: ["tools", "bench", "sim", "lab"],
    files: { "e2e/lab/values/results.test.ts": "" },
  },
  {
    name: "lab-core",
    stage: "lab",
    sharing: "alone",
    why: "a packet across the overlay, and no packet from tenant to tenant",
    files: { "e2e/lab/journey.test.ts": "", "e2e/lab/tenants.test.ts": "" },
  },
  {
    name: "login",
    stage: "browser",
    sharing: "alone",
    why: "log-in in a browser, on an installation of its own",
    files: { "e2e/src/login.test.ts": "" },
    needsDemonstration: true,
  },
  {
    name: "screens",
    stage: "browser",
    sharing: "alone",
    why: "menus, forms, guards and edits of the console on one demonstration",
    files: {
      "e2e/shared/routes-menus.test.ts": "",
      "e2e/shared/forms.test.ts": "",
      "e2e/shared/entry.test.ts": "",
      "e2e/shared/stale-edit.test.ts": "",
      "e2e/shared/cpe-transfer.test.ts": "",
    },
    globalSetup: sharedDemonstration,
    needsDemonstration: true,
  },
  {
    name: "kernel",
    stage: "full",
    sharing: "alone",
    why: "objects of a real kernel in a namespace, with its timers",
    files: {
      "apps/edge/src/drivers/capabilities.test.ts": "tries kernel objects in a namespace",
      "apps/edge/src/drivers/firewall/hits.test.ts": "real kernels; counters of packets",
      "apps/edge/src/drivers/firewall/acl-order.test.ts":
        "real kernels; thousands of datagrams in a namespace",
      "apps/edge/src/drivers/firewall/limits.test.ts":
        "real kernels; rates and limits of flows over seconds",
      "apps/edge/src/drivers/firewall/management.test.ts":
        "nft in a namespace; silence ends by a timer",
      "apps/edge/src/drivers/firewall/reload.test.ts":
        "nft in a namespace; thousands of rules loaded twice",
      "apps/edge/src/drivers/link-edits.test.ts":
        "namespaces and tunnels of the kernel, edited while packets go",
      "apps/edge/src/drivers/probe/listen.test.ts": "raw packets on lo of a namespace, real clock",
      "apps/edge/src/drivers/tunnel/link-settings.test.ts": "a veth in a namespace of the machine",
      "apps/edge/src/drivers/underlay/kernel-settings.test.ts": "writes a sysctl of the kernel",
      "apps/edge/src/drivers/underlay/apply.test.ts": "addresses and routes of a namespace",
    },
  },
  {
    name: "debian",
    stage: "campaign",
    sharing: "alone",
    why: "objects that the kernels of test machines may lack, on Debian's kernel in a virtual machine",
    files: {
      "apps/edge/src/drivers/underlay/vlan.test.ts": "tagged frames (8021q)",
    },
  },
  {
    name: "machines",
    stage: "full",
    sharing: "pairs",
    why: "devices with real daemons in namespaces: packets, routing protocols, rates",
    files: {
      "apps/edge/src/drivers/central.test.ts": "",
      "apps/edge/src/drivers/classes/class-moves.test.ts": "",
      "apps/edge/src/drivers/dns/controls.test.ts": "real dnsmasq in namespaces",
      "apps/edge/src/drivers/dns/filters.test.ts": "real dnsmasq in namespaces",
      "apps/edge/src/drivers/dns/resolver.test.ts": "real dnsmasq in namespaces",
      "apps/edge/src/drivers/firewall/battery.test.ts":
        "families of policy objects on real kernels, with a power cut",
      "apps/edge/src/drivers/firewall/bypass.test.ts": "",
      "apps/edge/src/drivers/firewall/flows.test.ts": "flow limits and conntrack of real kernels",
      "apps/edge/src/drivers/firewall/foreign.test.ts": "",
      "apps/edge/src/drivers/firewall/groups.test.ts": "rates of real queues",
      "apps/edge/src/drivers/flows/flows.test.ts": "connection tracking of real kernels",
      "apps/edge/src/drivers/firewall/isolation.test.ts": "",
      "apps/edge/src/drivers/firewall/kept-lines.test.ts": "",
      "apps/edge/src/drivers/firewall/lockout.test.ts": "",
      "apps/edge/src/drivers/firewall/nat-kinds.test.ts": "",
      "apps/edge/src/drivers/firewall/next-hops.test.ts": "",
      "apps/edge/src/drivers/firewall/policy-routes.test.ts": "",
      "apps/edge/src/drivers/firewall/port-mapping.test.ts": "",
      "apps/edge/src/drivers/firewall/refused-rules.test.ts": "",
      "apps/edge/src/drivers/firewall/time-groups.test.ts": "rates of real queues",
      "apps/edge/src/drivers/firewall/trace.test.ts": "",
      "apps/edge/src/drivers/firewall/under-load.test.ts":
        "rules replaced under load, real kernels",
      "apps/edge/src/drivers/isolation/detour.test.ts": "",
      "apps/edge/src/drivers/isolation/isolation.test.ts": "",
      "apps/edge/src/drivers/line-edits.test.ts": "",
      "apps/edge/src/drivers/machine.test.ts": "",
      "apps/edge/src/drivers/path-mtu.test.ts": "",
      "apps/edge/src/drivers/paths/quality-moves.test.ts": "",
      "apps/edge/src/drivers/routing/ospf.test.ts": "real FRR against a LAN router",
      "apps/edge/src/drivers/routing/site.test.ts": "real FRR against a LAN router",
      "apps/edge/src/drivers/acceleration/acceleration.test.ts": "four machines, real FRR",
      "apps/edge/src/drivers/segment/segment.test.ts": "four machines, real FRR",
      "apps/edge/src/drivers/shaping/circuits.test.ts": "rates of real queues",
      "apps/edge/src/drivers/shaping/pop-load.test.ts": "rates of real queues",
      "apps/edge/src/drivers/shaping/pop-shares.test.ts": "rates of real queues",
      "apps/edge/src/drivers/shaping/shaping.test.ts": "rates of real queues",
      "apps/edge/src/drivers/standby/standby.test.ts":
        "a second device takes over: real timers and daemons",
      "apps/edge/src/drivers/underlay/cards.test.ts": "",
      "apps/edge/src/drivers/underlay/factory-default.test.ts": "",
      "apps/edge/src/drivers/underlay/delegation.test.ts": "",
      "apps/edge/src/drivers/underlay/ipv6.test.ts": "",
      "apps/edge/src/drivers/underlay/lease-life.test.ts": "",
      "apps/edge/src/drivers/underlay/lease-plug.test.ts": "",
      "apps/edge/src/drivers/underlay/lease-ends.test.ts": "",
      "apps/edge/src/drivers/underlay/silent-lines.test.ts": "",
      "apps/edge/src/drivers/underlay/faulty-lines.test.ts":
        "lines that fall while states are applied, real kernels",
      "apps/edge/src/drivers/underlay/tunnel-ways.test.ts": "",
      "apps/edge/src/drivers/tunnel/ipv6-off.test.ts": "",
      "apps/edge/src/drivers/underlay/prefix-faults.test.ts": "",
      "apps/edge/src/drivers/underlay/refused.test.ts": "",
      "apps/edge/src/packaging.test.ts": "real daemons with the rights of the systemd unit",
    },
  },
  {
    name: "lab",
    stage: "full",
    sharing: "alone",
    why: "a lab of devices and a controller, minutes long, or labs that are built and ended",
    folders: ["e2e/lab"],
    files: {
      "lab/src/lab-life.test.ts": "",
      "lab/src/lab.test.ts": "",
      "lab/src/services.test.ts": "",
    },
  },
  {
    name: "journeys",
    stage: "full",
    sharing: "pairs",
    why: "browser journeys, each with an installation of its own, minutes long",
    folders: ["e2e/src"],
    needsDemonstration: true,
  },
  {
    name: "shared",
    stage: "full",
    sharing: "alone",
    why: "other screens on one demonstration",
    folders: ["e2e/shared"],
    globalSetup: sharedDemonstration,
    needsDemonstration: true,
  },
  {
    name: "process",
    stage: "full",
    sharing: "alone",
    why: "real clocks, killed processes",
    files: {
      "apps/edge/src/main.test.ts": "the program as a child process, SIGKILL and SIGTERM",
      "apps/edge/src/run.test.ts":
        "real clock: looks for another enrolment every two seconds, pauses of the link",
    },
  },
  {
    name: "builds",
    stage: "full",
    sharing: "pairs",
    why: "copies and builds of the repository, many seeds",
    files: {
      "apps/edge/src/drivers/classes/class-lines.test.ts":
        "20 seeds of lines in virtual time: 50 s",
      "apps/edge/src/drivers/paths/lines.test.ts": "20 seeds of lines in virtual time: 50 s",
      "sim/src/sim.test.ts": "150 seeds and five planted faults: 25 s of one core",
      "tools/src/add-a-resource.test.ts": "a copy of the tree: formats, type-checks and tests it",
      "tools/src/open-api.test.ts": "generates a client and compiles it",
      "tools/src/run-command.test.ts": "signals to child processes",
      "tools/src/run.test.ts": "launcher with child processes",
    },
  },
  {
    name: "controller-process",
    stage: "full",
    sharing: "alone",
    why: "processes of the controller and its stores that are started and killed",
    files: {
      "apps/controller/src/backup/restore.test.ts":
        "restores whole databases, one second of the real clock between two epochs; 25 s",
      "apps/controller/src/db/await-server.test.ts":
        "gives up a port and takes it again; another process may have it by then",
      "apps/controller/src/db/connect.test.ts": "own PostgreSQL servers from nothing",
      "apps/controller/src/db/embedded/open.test.ts":
        "own PostgreSQL servers, SIGKILL, a process that is gone; 35 s",
      "apps/controller/src/db/roles.test.ts": "own PostgreSQL server, because it spoils its roles",
      "apps/controller/src/db/silent-server.test.ts":
        "statement limit of 1,000 ms and silence of 400 ms against a real server",
      "apps/controller/src/db/testing.test.ts":
        "SIGKILL to a test run; a process that has to be gone at once",
      "apps/controller/src/jobs/presence.test.ts":
        "sleeps of 2,100 against 2,000 ms, checks that hang in a silent server",
      "apps/controller/src/start/data-lock.test.ts": "a process in a namespace of its own, SIGKILL",
      "apps/controller/test/flood.test.ts":
        "controllers under a low limit of descriptors, thousands of connections, SIGKILL",
      "apps/controller/test/failing-loops.test.ts":
        "loops with their real pauses while stores fail",
      "apps/controller/test/installation-status.test.ts":
        "SIGKILL and SIGTERM to controller processes, waits for the real 45 s rule by ageing rows",
      "apps/controller/test/key-change.test.ts":
        "controller, command and edge as processes, kills; 40 s",
      "apps/controller/test/killed-compile.test.ts":
        "SIGKILL to a worker in the middle of a batch; 30 s",
      "apps/controller/test/killed-sender.test.ts":
        "SIGKILL to a controller while it sends, then a second one",
      "apps/controller/test/observability.test.ts":
        "a controller process, a database that hangs (< 25 s asserted), event loop lag",
      "apps/controller/test/process.test.ts": "signals to a controller process and its exit; 20 s",
      "apps/controller/test/restore-drill.test.ts":
        "own controllers, edge-side kills, own embedded PostgreSQL; 50 s",
      "apps/controller/test/rotated-keys.test.ts":
        "kills a rotation in the middle, five controller processes; 60 s",
      "apps/controller/test/shared-keys.test.ts":
        "several controller processes on one database; 50 s",
      "apps/controller/test/start.test.ts":
        "starts npm start as a process, ends it by signals, waits 50 ms for its output; 210 s",
      "apps/controller/test/stopped-database.test.ts":
        "SIGSTOP to a real PostgreSQL for longer than a statement may take; a start, an edge, 2 minutes",
      "apps/controller/test/verify-audit.test.ts": "runs the command as a process",
    },
    globalSetup: controllerSetup,
  },
  {
    name: "memory",
    stage: "full",
    sharing: "alone",
    why: "bytes that a process holds",
    files: {
      "apps/controller/src/domains/access/record/large-export.test.ts": "100,000 rows as one file",
      "apps/controller/src/domains/notifications/alarm/fleet.test.ts":
        "10,000 nodes, cost of a run below 1.5 times; 30 s",
      "apps/controller/src/transfer/sheet/large-file.test.ts":
        "100,000 rows within a heap of 24 MB",
      "apps/controller/test/export-memory.test.ts":
        "high-water marks of a controller process; 75 s",
    },
    globalSetup: controllerSetup,
  },
  {
    name: "clickhouse",
    stage: "full",
    sharing: "pairs",
    why: "an engine of metrics of its own",
    files: {
      "apps/controller/src/domains/monitoring/enterprise-report/enterprise-report.test.ts":
        "own chdb",
      "apps/controller/src/domains/monitoring/metrics/metrics.test.ts":
        "own chdb, inserts by interval",
      "apps/controller/src/domains/monitoring/metrics/moved.test.ts": "own chdb",
      "apps/controller/src/domains/monitoring/node-log/node-log.test.ts": "own chdb",
      "apps/controller/src/domains/monitoring/site-overview/site-overview.test.ts": "own chdb",
      "apps/controller/src/domains/overlay/circuit/circuit.test.ts": "own chdb",
      "apps/controller/src/domains/policies/policy-hits/policy-hits.test.ts": "own chdb",
      "apps/controller/src/metrics-store/flow-store.test.ts": "own chdb",
      "apps/controller/src/metrics-store/hits.test.ts": "own chdb",
      "apps/controller/src/metrics-store/metrics-store.test.ts":
        "own chdb, own ClickHouse server, SIGKILL",
      "apps/controller/src/metrics-store/roll-ups.test.ts":
        "kills the engine at fractions of a measured time; 25 s",
    },
    globalSetup: controllerSetup,
  },
  {
    name: "timed",
    stage: "full",
    sharing: "alone",
    why: "real clocks against pauses and retries",
    files: {
      "apps/controller/src/domains/access/session/codes.test.ts":
        "400 ms of the real clock in each of some 25 answers, asserted once; 13 s",
      "apps/controller/src/domains/templates/rollout/left-out.test.ts":
        "22 s of waits for turns of the worker and grace times of the database's clock",
      "apps/controller/src/domains/templates/rollout/removed-links.test.ts":
        "10 s of waits for turns of the worker and grace times of the database's clock",
      "apps/controller/src/domains/templates/rollout/rollout.test.ts":
        "35 s of waits for turns of the worker and grace times of the database's clock",
      "apps/controller/src/domains/templates/router-template/failed-publish.test.ts":
        "delays of devices against a retry of 1,000 ms of the database's clock; 35 s",
      "apps/controller/test/batch.test.ts": "a kill between 80 and 400 rows; 70 s",
    },
    globalSetup: controllerSetup,
  },
  {
    name: "controller-builds",
    stage: "full",
    sharing: "pairs",
    why: "whole surfaces, many seeds",
    files: {
      "apps/controller/src/plugins/downloads.test.ts": "compiles and links programs",
      "apps/controller/test/hostile.test.ts":
        "700 hostile calls and messages with limits of time per answer; 45 s",
    },
    globalSetup: controllerSetup,
  },
  {
    name: "callers",
    stage: "full",
    sharing: "pairs",
    why: "the tenancy matrix of the other two types of caller",
    files: {
      "apps/controller/test/matrix-agent.test.ts": "120 s; matrix-enterprise stays in the gate",
      "apps/controller/test/matrix-controller.test.ts":
        "125 s; matrix-enterprise stays in the gate",
    },
    globalSetup: controllerSetup,
  },
];

const namedFiles = new Set(testGroups.flatMap(({ files = {} }) => Object.keys(files)));

/** The test files of a group, relative to the root. */
export function filesOf({ files = {}, folders = [] }: TestGroup): string[] {
  const below = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.test.{ts,tsx}`, {
      cwd: root,
      exclude: (name) => name === "node_modules",
    }),
  );
  return [...Object.keys(files), ...below.filter((file) => !namedFiles.has(file))].toSorted();
}
