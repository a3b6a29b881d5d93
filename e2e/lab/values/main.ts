/**
 * `npm run test:full -- values`: the nastiest values for every field of a site, through the API to an edge in a lab.
 * `--only line,staticroute` tries some resources alone. With `--results FILE` a run may be made in parts: each value that was
 * tried is written there, and the next run tries the others and those that failed (`--again`: all); `--table` prints what the
 * file has without a lab. Prints a table, and ends with 1 when a value failed, or when not all could be tried within `--minutes`.
 */
import { parseArgs } from "node:util";
import { login } from "@weft/contract/domains/access/session.ts";
import { cpe, cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import {
  cfgInit,
  cpeCfgAdd,
  popCfg,
  popCfgEdit,
} from "@weft/contract/domains/devices/cpe-config.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { Envelope } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { addSite } from "@weft/lab/operator.ts";
import { addSitePair, enrolSitePair, type SitePair } from "@weft/lab/site-pair.ts";
import { defaultLab, type LabSpec } from "@weft/lab/spec.ts";
import { startWorld, type World } from "@weft/lab/world.ts";
import { type Post, partsOf } from "./calls.ts";
import { Campaign } from "./campaign.ts";
import { Device } from "./device.ts";
import {
  failuresOf,
  keyOf,
  newestOf,
  readResults,
  tableOf,
  triedOf,
  type Verdict,
  writeResult,
} from "./results.ts";
import {
  policySubjects,
  rowSubjects,
  type Subject,
  settingSubjects,
  type Wire,
} from "./subjects.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    minutes: { type: "string", default: "110" },
    results: { type: "string" },
    again: { type: "boolean", default: false },
    table: { type: "boolean", default: false },
  },
});

/** The lab of two sites; cpe1 has the cards that the samples of WAN links and LAN sections name, too. */
function labOfSamples(): LabSpec {
  const { networks, nodes } = defaultLab();
  return {
    networks: [...networks, { name: "lanz", at: "sw", addresses: [] }],
    nodes: nodes.map((node) =>
      node.name === "cpe1"
        ? {
            ...node,
            ports: [
              ...node.ports,
              { name: "wan3", network: "bra", mac: "02:00:00:01:00:76" },
              { name: "wan4", network: "bra", mac: "02:00:00:01:00:77" },
              { name: "lan9", network: "lanz", mac: "02:00:00:03:00:77" },
            ],
          }
        : node,
    ),
  };
}

async function poster({ url, call, password }: World): Promise<Post> {
  const { token } = (await call(login, { loginName: "admin", password, sms: null })).data;
  return async (path: string, wire: Wire): Promise<Envelope> => {
    const body = new FormData();
    for (const [name, value] of Object.entries(wire))
      if (value !== null && value !== undefined) body.append(name, String(value));
    const headers = { "accept-language": "en", authorization: token ?? "" };
    const response = await fetch(`${url}${path}`, { method: "POST", body, headers });
    return (await response.json()) as Envelope;
  };
}

async function added(post: Post, { path, name, draft }: Subject): Promise<number> {
  const envelope = await post(path, draft(0));
  const { id } = (envelope.data ?? {}) as { id?: number };
  if (id === undefined) throw new Error(`${name} cannot be made: ${envelope.msg}`);
  return id;
}

/**
 * Rows that the drafts of others refer to; the LAN section is where their hosts and routers are. A third site, that has no
 * device, is for spaces: a site is in one of them only.
 */
async function fixtures(world: World, post: Post, pair: SitePair) {
  const { groupid } = pair;
  const third = await addSite(world.call, {
    groupid,
    device: "cpe3",
    octet: 13,
    network: "10.1.3.1/24",
    network6: "fd00:1:3::1/64",
  });
  const places = {
    groupid,
    cpeId: pair.cpe1,
    popId: pair.pop,
    otherCpeId: pair.cpe2,
    spareCpeId: third,
  };
  const subjects = (ids: Record<string, number>) =>
    new Map(rowSubjects(places, ids).map((subject) => [subject.name, subject]));
  const ids: Record<string, number> = {};
  const needed = [
    ["lansection", "lanId"],
    ["popStrategy", "strategyId"],
    ["xwanSpeed", "speedId"],
    ["vbrNode", "vbrNodeId"],
  ] as const;
  for (const [name, id] of needed) {
    const subject = subjects(ids).get(name);
    if (!subject) throw new Error(`no resource ${name}`);
    const { draft } = subject;
    const isLan = name === "lansection";
    const first = (number: number) =>
      isLan
        ? { ...draft(number), network: "10.77.1.1/24", network6: "fd00:77:1::1/64" }
        : draft(number);
    ids[id] = await added(post, { ...subject, draft: first });
  }
  const refs: Record<string, number> = {};
  // Only until the row itself is there: drafts of families that come later are made, and not sent.
  const notYet = Object.fromEntries(
    policyFamilies
      .filter(({ manage }) => manage.resource.verbs.includes("add"))
      .map(({ name }) => [name, 1]),
  );
  const referred = new Set(
    policyFamilies.flatMap(({ spec }) => Object.values(spec.references ?? {})),
  );
  for (const { name, manage } of policyFamilies) {
    if (!referred.has(name) || !manage.resource.verbs.includes("add")) continue;
    const subject = policySubjects(places, { ...notYet, ...refs }).find(
      (one) => one.name === manage.resource.name,
    );
    if (subject) refs[name] = await added(post, subject);
  }
  return { places, ids, refs };
}

/** A device's settings as they are, as its forms send them. */
async function settingsOf({ call }: World, pair: SitePair) {
  const wireOf = (resource: AnyResource, row: object): Wire => {
    const { shape } = resource.draft;
    const own = Object.fromEntries(Object.entries(row).filter(([name]) => name in shape));
    return { ...resource.draft.encode(own as never), id: pair.cpe1 };
  };
  const { data: row } = await call(cpeFindById, { id: pair.cpe1 });
  const { cpeConfig } = (await call(cfgInit, { cpeId: pair.cpe1 })).data;
  const { data: pop } = await call(popCfg, { popId: pair.pop });
  const { updateTime: _, rowVersion: __, ...items } = cpeConfig;
  const { popId, mtu, szCrontab } = pop;
  return {
    cpe: wireOf(cpe as AnyResource, row),
    cpeCfg: cpeCfgAdd.input.encode(items),
    popCfg: popCfgEdit.input.encode({ popId, mtu, szCrontab }),
    standby: { cpeId: pair.cpe1, hotStandbyGroup: "", hotStandbyRole: "", hotStandbyPriority: "" },
  };
}

let isEnding = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    isEnding = true;
  });

/** Tries what is left. */
async function tryValues(earlier: readonly Verdict[]): Promise<readonly Verdict[]> {
  const world = await startWorld(labOfSamples());
  try {
    const pair = await addSitePair(world.call);
    const post = await poster(world);
    const { places, ids, refs } = await fixtures(world, post, pair);
    const all = [
      ...rowSubjects(places, ids),
      ...policySubjects(places, refs),
      ...settingSubjects(await settingsOf(world, pair)),
    ];
    const wanted = options.only?.split(",");
    const subjects = all.filter(({ name }) => wanted?.includes(name) ?? true);
    if (subjects.length === 0) throw new Error(`no resource is called ${options.only}`);
    const verdicts: Verdict[] = [];
    const campaign = new Campaign(post, pair.cpe1, async (own) => {
      verdicts.push(...own);
      if (options.results) await writeResult(options.results, own);
    });
    const end = performance.now() + Number(options.minutes) * 60_000;
    const isOver = () => isEnding || performance.now() > end;
    const tried = options.again ? new Set<string>() : triedOf(earlier);
    // Before a device runs anything, a call costs no state of it.
    const taken = await campaign.calls(subjects, (subject, { field, value }) =>
      tried.has(keyOf({ subject, field: field.name, value })),
    );
    await enrolSitePair(world, pair);
    const device = new Device(world, pair);
    await device.begin();
    await campaign.waves(device, taken, isOver);
    const known = new Set([...tried, ...verdicts.map(keyOf)]);
    const left = subjects.filter((subject) =>
      partsOf(subject).some(
        ({ field, value }) =>
          !known.has(keyOf({ subject: subject.name, field: field.name, value })),
      ),
    );
    if (left.length > 0) {
      console.log(`not tried whole: ${left.map(({ name }) => name).join(" ")}`);
      process.exitCode = 1;
    }
    return verdicts;
  } finally {
    await world.close();
  }
}

const earlier = options.results ? await readResults(options.results) : [];
const now = options.table ? [] : await tryValues(earlier);
const all = newestOf([...earlier, ...now]);
console.log(tableOf(all));
console.log(tableOf(all, false));
for (const line of failuresOf(all)) console.log(line);
if (all.length === 0) console.log("no value was tried");
if (all.length === 0 || failuresOf(all).length > 0) process.exitCode = 1;
