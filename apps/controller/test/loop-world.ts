/** The whole controller but for its process: API, worker and gateway on a database of the test's own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { claimAdd } from "@weft/contract/domains/devices/enrolment.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { taskRoutes } from "#domains/delivery/tasks/routes.ts";
import { enrolmentRoutes } from "#domains/devices/enrolment/routes.ts";
import type { Clock } from "#gateway/clock.ts";
import { defaultTimes, type Times } from "#gateway/hub.ts";
import { type Gateway, startGateway } from "#gateway/start.ts";
import { startWorker, type Worker } from "#jobs/start.ts";
import type { Site as Installation } from "#kernel/api.ts";
import type { Intake } from "#metrics-store/intake.ts";
import type { MeasureStore } from "#metrics-store/store.ts";
import { holdPort } from "#start/held-port.ts";
import { type TestApi, testApi } from "./api.ts";
import { FakeEdge } from "./fake-edge.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

interface GatewayBeside {
  readonly url: string;
  /** Resolves when all that its devices did is written. */
  close(): Promise<void>;
}

/** For what the gateway waits for; the system's clock if absent. */
interface GivenClock {
  readonly clock?: Clock;
}

export interface Site {
  readonly id: number;
  readonly sn: string;
}

export class LoopWorld {
  readonly api: TestApi;
  readonly admin: string;
  readonly dataDir: string;
  readonly times: Times;
  gateway: Gateway;
  worker: Worker | null = null;
  readonly #beside = new Set<Gateway>();
  #names = 0;

  constructor(api: TestApi, admin: string, dataDir: string, times: Times, gateway: Gateway) {
    this.api = api;
    this.admin = admin;
    this.dataDir = dataDir;
    this.times = times;
    this.gateway = gateway;
  }

  get pools() {
    return this.api.database.pools;
  }

  /** What every worker of it has. */
  get base() {
    const { pools, api } = this;
    return { pools, vault: api.app.weft.vault, logger: pino({ level: "silent" }) };
  }

  get url(): string {
    return `https://127.0.0.1:${this.gateway.port}`;
  }

  async startWorker(): Promise<Worker> {
    this.worker = await startWorker(this.base);
    return this.worker;
  }

  /** The gateway and the worker end and come back on the same port, as with a restart of the program. */
  async restart(): Promise<void> {
    const { port } = this.gateway;
    await Promise.all([this.gateway.close(), this.worker?.close()]);
    // The paths of the first one stay on the API's port; no device of a test connects there.
    const app = fastify();
    app.decorate("weft", this.api.app.weft);
    this.gateway = await startTestGateway(this.api, this.dataDir, this.times, { app, port });
    if (this.worker) await this.startWorker();
  }

  /** Starts another gateway for the same devices; it ends with the world at the latest. */
  async gatewayBeside({ clock, ...times }: Partial<Times> & GivenClock): Promise<GatewayBeside> {
    const app = fastify();
    app.decorate("weft", this.api.app.weft);
    const all = { ...this.times, ...times };
    const given = { app, port: 0, ...(clock && { clock }) };
    const gateway = await startTestGateway(this.api, this.dataDir, all, given);
    this.#beside.add(gateway);
    return {
      url: `https://127.0.0.1:${gateway.port}`,
      close: async () => {
        if (this.#beside.delete(gateway)) await gateway.close();
      },
    };
  }

  async post(path: string, fields: object, token = this.admin) {
    const answer = await this.api.post(path, fields, token);
    if (answer.code !== 0) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async addSite(replaced: object = {}): Promise<Site> {
    this.#names += 1;
    const sn = `LOOP-${this.#names}`;
    const draft = wireDraft(
      "cpe",
      "valid",
      { groupid: 1, cpeId: 0, popId: 0 },
      {
        alias: `site-${this.#names}`,
        sn,
        groupid: 1,
        ...replaced,
      },
    );
    return { id: newIdOf(await this.api.post(cpe.ops.add.path, draft, this.admin)), sn };
  }

  /** A LAN whose network is its own by the third octet. */
  async addLan({ id: nCpeID }: { readonly id: number }, third: number): Promise<void> {
    await this.post(lanSection.ops.add.path, {
      nCpeID,
      interfaceName: `lan${third}`,
      network: `10.50.${third}.1/24`,
      network6: "",
      vlan: "",
      enableForward: 1,
      enableDirect: 1,
      remark: "",
    });
  }

  /** @param sn of a device that replaces the node's own */
  async claim(nodeId: number, preApproved = true, sn?: string): Promise<string> {
    const fields = { nodeId, preApproved: preApproved ? 1 : 0, ...(sn && { sn }) };
    const { data } = await this.post(claimAdd.path, fields);
    return (data as { claim: string }).claim;
  }

  edge(serialNumber: string): FakeEdge {
    return new FakeEdge(this.url, serialNumber);
  }

  /** A device of the node, enrolled. */
  async enrolled(site: Site): Promise<FakeEdge> {
    const edge = this.edge(site.sn);
    const answer = await edge.enrol(await this.claim(site.id));
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return edge;
  }

  /** The API's answer, decoded as far as a test looks. */
  async stateOf(id: number): Promise<OutputOf<typeof nodeState>> {
    const answer = await this.api.get(nodeState.path, { id }, this.admin);
    if (answer.code !== 0) throw new Error(JSON.stringify(answer));
    return answer.data as OutputOf<typeof nodeState>;
  }

  async close(): Promise<void> {
    for (const gateway of this.#beside) await gateway.close();
    await this.gateway.close();
    await this.worker?.close();
    await this.api.close();
    await rm(this.dataDir, { recursive: true });
  }
}

/** @param times replaces some of the defaults */
export async function loopWorld(
  times: Partial<Times> = {},
  intake?: Intake,
  measures?: MeasureStore,
  site?: Installation,
): Promise<LoopWorld> {
  const api = await testApi(
    (app) => {
      // Mounted by the application as well, once it lists these features.
      if (app.weft.mounted.has(claimAdd.path)) return;
      enrolmentRoutes(app);
      taskRoutes(app);
    },
    undefined,
    measures,
    site,
  );
  const dataDir = await mkdtemp(join(tmpdir(), "weft-loop-"));
  const all = { ...defaultTimes, pollMs: 200, ...times };
  const held = await holdPort({ port: 0 }, "port");
  await held.release();
  const { port } = held;
  const gateway = await startTestGateway(api, dataDir, all, { app: api.app, port }, intake);
  const admin = await api.logIn("admin");
  return new LoopWorld(api, admin, dataDir, all, gateway);
}

const startTestGateway = (
  api: TestApi,
  dataDir: string,
  times: Times,
  { app, port, clock }: GivenClock & { readonly app: FastifyInstance; readonly port: number },
  intake?: Intake,
): Promise<Gateway> =>
  startGateway({
    app,
    pools: api.database.pools,
    settings: { edgePort: port, edgeAddresses: ["wss://127.0.0.1:0"] },
    logger: pino({ level: process.env.LOOP_LOG ?? "silent" }),
    dataDir,
    times,
    ...(intake && { intake }),
    ...(clock && { clock }),
  });

/** Waits until it holds; the time only ends a test that hangs. */
export async function eventually<T>(
  read: () => Promise<T | false | null | undefined>,
  what: string,
  timeoutMs = 60_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await read();
    if (found) return found;
    if (performance.now() > end) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
