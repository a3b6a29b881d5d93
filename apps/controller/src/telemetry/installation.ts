import { openRolloutStates } from "@weft/contract/domains/templates/rollout.ts";
import { Gauge, type Registry } from "prom-client";
import type { Counted } from "./installation-query.ts";

/** Names of alarmLevels and taskStatuses; those that did not end only. */
const severities = { 1: "critical", 2: "major", 3: "minor", 4: "warning" } as const;
const openTasks = { 0: "not_started", 4: "pulled" } as const;

const kinds = {
  alarms: Object.keys(severities),
  failures: ["compile"],
  identities: ["pending", "quarantined"],
  queue: ["changes", "compile", "outbox", "audit", "batches", "commands", "alarms"],
  rollouts: openRolloutStates,
  states: ["waiting", "held", "delivered", "applied"],
  tasks: Object.keys(openTasks),
} as const satisfies Partial<Record<Counted["of"], readonly string[]>>;
type Of = keyof typeof kinds;

const wordOf: Partial<Record<Of, Readonly<Record<string, string>>>> = {
  alarms: severities,
  tasks: openTasks,
};

/** A number for each kind; with `age`, seconds since the oldest began, 0 without one. */
interface Shown {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly age?: { readonly name: string; readonly help: string };
}

const shown: Readonly<Record<Of, Shown>> = {
  alarms: {
    name: "weft_alarms_active",
    label: "severity",
    help: "Alarms of the network that are not cleared, by severity.",
  },
  failures: {
    name: "weft_nodes_without_configuration",
    label: "stage",
    help: "Nodes whose desired state could not be made; the page of the node says why.",
  },
  identities: {
    name: "weft_device_identities",
    label: "state",
    help: "Keys of devices that wait for a decision: pending (approval) or quarantined (a clone).",
  },
  queue: {
    name: "weft_queue_depth",
    label: "queue",
    help: "Rows that wait for a worker, or for a device in the queue commands.",
    age: { name: "weft_queue_oldest_age_seconds", help: "Age of the oldest of them; 0: none." },
  },
  rollouts: {
    name: "weft_rollouts",
    label: "state",
    help: "Rollouts of templates under way: running, waiting (for an operator) or halted.",
  },
  states: {
    name: "weft_desired_states",
    label: "outcome",
    help: "Desired states that are not confirmed: waiting (the device is offline or busy), held (for approval), delivered, applied.",
    age: {
      name: "weft_desired_states_oldest_age_seconds",
      help: "Time since the oldest of them was made, or delivered; 0: none.",
    },
  },
  tasks: {
    name: "weft_tasks",
    label: "state",
    help: "Tasks that did not end: not_started or pulled (by the device).",
  },
};

/** Shows what the database counted; null: it did not answer, and nothing is shown rather than something old. */
export function showInstallation(registry: Registry): (rows: readonly Counted[] | null) => void {
  const registers = [registry];
  const nodes = new Gauge({
    name: "weft_nodes",
    help: "Enabled nodes of the installation, by kind and by contact with their devices.",
    labelNames: ["kind", "state"],
    registers,
  });
  const gauges = Object.entries(shown).map(([of, { name, label, help, age }]) => ({
    of: of as Of,
    label,
    count: new Gauge({ name, help, labelNames: [label], registers }),
    age: age && new Gauge({ ...age, labelNames: [label], registers }),
  }));
  return (rows) => {
    nodes.reset();
    for (const { count, age } of gauges) {
      count.reset();
      age?.reset();
    }
    if (rows === null) return;
    for (const kind of ["cpe", "pop"]) {
      for (const state of ["online", "offline"]) nodes.set({ kind, state }, 0);
    }
    for (const { of, kind, state, count } of rows) {
      if (of === "nodes") nodes.set({ kind, state }, count);
    }
    for (const { of, label, count, age } of gauges) {
      for (const kind of kinds[of]) {
        const row = rows.find((counted) => counted.of === of && counted.kind === kind);
        const labels = { [label]: wordOf[of]?.[kind] ?? kind };
        count.set(labels, row?.count ?? 0);
        age?.set(labels, row?.age ?? 0);
      }
    }
  };
}
