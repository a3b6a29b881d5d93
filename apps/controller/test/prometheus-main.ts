// npm run test:full -- prometheus: Prometheus scrapes a running installation, loads its rules, and an alert fires and
// is resolved. Needs the programs `prometheus` and `promtool` (Debian package prometheus).
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse, stringify } from "yaml";
import { inherited, startController } from "./controller-process.ts";

const files = join(import.meta.dirname, "../../../deploy/observability");
const folder = mkdtempSync(join(tmpdir(), "weft-prometheus-"));
const ends: (() => Promise<unknown>)[] = [];
const began = performance.now();
const say = (text: string): void =>
  console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${text}`);

/** Waits until it holds; the time only ends a run that hangs. */
async function eventually<T>(
  read: () => Promise<T | false | undefined>,
  what: string,
  timeoutMs = 180_000,
): Promise<T> {
  const last = performance.now() + timeoutMs;
  for (;;) {
    const found = await read();
    if (found) return found;
    if (performance.now() > last) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await sleep(250);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

async function startClickhouse(port: number): Promise<{ url: string; child: ChildProcess }> {
  const program = join(import.meta.dirname, "clickhouse-http.ts");
  const child = spawn(process.execPath, [program, join(folder, "clickhouse"), `${port}`], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...inherited },
  });
  ends.push(() => end(child));
  const [line] = await once(child.stdout, "data");
  return { url: String(line).trim(), child };
}

/** The files of the repository, with this target and without the waiting that is for people. */
function writeConfiguration(target: string): string {
  const config = parse(readFileSync(join(files, "prometheus.yml"), "utf8"));
  config.global = { evaluation_interval: "1s", scrape_timeout: "1s" };
  config.scrape_configs[0].scrape_interval = "1s";
  config.scrape_configs[0].static_configs[0].targets = [target];
  const rules = parse(readFileSync(join(files, "alerts.yml"), "utf8"));
  for (const rule of rules.groups[0].rules) if (rule.for) rule.for = "2s";
  writeFileSync(join(folder, "alerts.yml"), stringify(rules));
  writeFileSync(join(folder, "prometheus.yml"), stringify(config));
  return join(folder, "prometheus.yml");
}

interface Alert {
  readonly state: "pending" | "firing";
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

class Prometheus {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async get<T>(path: string): Promise<T> {
    const reply = await fetch(`${this.#url}/api/v1/${path}`);
    const answer = (await reply.json()) as { readonly status: string; readonly data: unknown };
    assert.equal(answer.status, "success", `${path}: ${JSON.stringify(answer)}`);
    return answer.data as T;
  }

  async query(expr: string): Promise<number> {
    const { result } = await this.get<{ result: unknown[] }>(
      `query?query=${encodeURIComponent(expr)}`,
    );
    return result.length;
  }

  async firing(): Promise<readonly Alert[]> {
    const { alerts } = await this.get<{ alerts: Alert[] }>("alerts");
    return alerts.filter(({ state }) => state === "firing");
  }

  fires(name: string): Promise<Alert> {
    return eventually(
      async () => (await this.firing()).find(({ labels }) => labels.alertname === name),
      `${name} firing`,
    );
  }

  async resolves(name: string): Promise<void> {
    await eventually(
      async () => (await this.firing()).every(({ labels }) => labels.alertname !== name),
      `${name} resolved`,
    );
  }
}

async function startPrometheus(config: string): Promise<Prometheus> {
  const listen = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    "prometheus",
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "tsdb")}`,
      `--web.listen-address=${listen}`,
      "--log.level=warn",
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  ends.push(() => end(child));
  const url = `http://${listen}`;
  await eventually(
    async () =>
      (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true || child.exitCode !== null,
    "Prometheus",
  );
  assert.equal(child.exitCode, null, "Prometheus ended");
  return new Prometheus(url);
}

function checkFiles(exposition: string): void {
  const run = (...argv: string[]) => execFileSync("promtool", argv, { encoding: "utf8" });
  say(run("check", "rules", join(files, "alerts.yml")).trim().split("\n").at(-1)?.trim() ?? "");
  run("check", "config", join(files, "prometheus.yml"));
  // Names of Node's own metrics are those of its library.
  const own = exposition.split("\n").filter((line) => /^(# \w+ )?weft_/.test(line));
  execFileSync("promtool", ["check", "metrics"], { input: `${own.join("\n")}\n` });
  say(`promtool finds nothing in rules, configuration and ${own.length} lines of a scrape`);
}

async function askDashboards(prometheus: Prometheus): Promise<void> {
  let [asked, filled] = [0, 0];
  for (const file of readdirSync(join(files, "dashboards"))) {
    const { panels } = JSON.parse(readFileSync(join(files, "dashboards", file), "utf8"));
    for (const { targets = [] } of panels) {
      for (const { expr } of targets) {
        asked += 1;
        if ((await prometheus.query(expr)) > 0) filled += 1;
      }
    }
  }
  assert.ok(filled > asked * 0.7, `${filled} of ${asked} expressions have a value`);
  say(`${filled} of ${asked} expressions of the dashboards have a value, none is an error`);
}

async function run(): Promise<void> {
  const clickhouse = await startClickhouse(0);
  const env = {
    WEFT_ROLES: "all",
    WEFT_EDGE_PORT: "0",
    WEFT_METRICS_LISTEN: "127.0.0.1:0",
    WEFT_CLICKHOUSE_URL: clickhouse.url,
  };
  // The embedded PostgreSQL, as a small installation has it.
  const controller = await startController({ databaseUrl: "", folder, env });
  ends.push(() => end(controller.child));
  const port = /"port":(\d+).*metrics listener open/.exec(controller.output())?.[1];
  assert.ok(port, controller.output());
  say("an installation runs");
  checkFiles(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  const prometheus = await startPrometheus(writeConfiguration(`127.0.0.1:${port}`));
  await eventually(
    async () => (await prometheus.query('weft_store_up{store="clickhouse"} == 1')) === 1,
    "a scrape",
  );
  const { groups } = await prometheus.get<{ groups: { rules: { health: string }[] }[] }>("rules");
  say(`Prometheus scrapes it and has loaded ${groups[0]?.rules.length} rules`);
  // Rates need two scrapes, and alerts their time.
  await eventually(
    async () => (await prometheus.query("rate(process_cpu_seconds_total[5m])")) > 0,
    "rates",
  );
  await askDashboards(prometheus);
  await prometheus.resolves("WeftMetricsStoreDown");
  assert.deepEqual(
    (await prometheus.firing()).map(({ labels }) => labels.alertname),
    [],
    "alerts of a healthy installation",
  );
  say("no alert fires");
  await end(clickhouse.child);
  const { annotations } = await prometheus.fires("WeftMetricsStoreDown");
  say(`ClickHouse ended: WeftMetricsStoreDown fires: ${annotations.summary}`);
  await startClickhouse(Number(new URL(clickhouse.url).port));
  await prometheus.resolves("WeftMetricsStoreDown");
  say("ClickHouse runs again: resolved");
  await end(controller.child);
  await Promise.all(
    ["WeftProcessDown", "WeftWorkerMissing", "WeftGatewayMissing"].map((name) =>
      prometheus.fires(name),
    ),
  );
  say("the controller ended: WeftProcessDown, WeftWorkerMissing and WeftGatewayMissing fire");
}

try {
  await run();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  for (const one of ends.reverse()) await one();
  rmSync(folder, { recursive: true, force: true });
}
