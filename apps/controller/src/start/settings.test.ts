import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings, settingTable } from "./settings.ts";

test("without any variable everything has its default", () => {
  expect(readSettings({})).toEqual({
    host: "127.0.0.1",
    port: 8080,
    edgePort: 8443,
    edgeAddresses: [],
    dataDir: ".weft",
    databaseUrl: undefined,
    clickhouseUrl: undefined,
    roles: new Set(["api", "gateway", "worker"]),
    adminPassword: undefined,
    operatorName: "运营中心",
    logLevel: "info",
    loginLogDays: 180,
    statementSeconds: 30,
    trustProxy: [],
    consoleDir: undefined,
    backupPassphrase: undefined,
    secretKey: undefined,
    title: undefined,
    smtpUrl: undefined,
    mailFrom: "weft@localhost",
    smsUrl: undefined,
    smsToken: undefined,
    hookNetworks: [],
    identityNetworks: [],
    loginSms: false,
    protocolImportUrl: undefined,
    demonstration: false,
    metricsListener: null,
  });
});

test("every variable is read; an empty one counts as absent", () => {
  expect(
    readSettings(
      {
        WEFT_PORT: " 0 ",
        WEFT_HOST: "",
        WEFT_EDGE_PORT: "9443",
        WEFT_EDGE_ADDRESSES: "wss://one.example:443, wss://[fd00::1]:8443/",
        WEFT_ROLES: "api, worker",
        WEFT_DATABASE_URL: "postgres://u:p@db/weft",
        WEFT_CLICKHOUSE_URL: "http://u:p@metrics:8123/weft",
        WEFT_ADMIN_PASSWORD: "s3cret-Pass",
        WEFT_TRUST_PROXY: "10.0.0.1,10.0.0.2",
        WEFT_METRICS_LISTEN: "[::1]:9464",
      },
      ["--demonstration"],
    ),
  ).toMatchObject({
    port: 0,
    host: "127.0.0.1",
    edgePort: 9443,
    edgeAddresses: ["wss://one.example", "wss://[fd00::1]:8443"],
    roles: new Set(["api", "worker"]),
    databaseUrl: "postgres://u:p@db/weft",
    clickhouseUrl: "http://u:p@metrics:8123/weft",
    adminPassword: "s3cret-Pass",
    trustProxy: ["10.0.0.1", "10.0.0.2"],
    demonstration: true,
    metricsListener: { host: "::1", port: 9464 },
  });
});

test.each([
  [{ WEFT_PORT: "65536" }, "WEFT_PORT"],
  [{ WEFT_PORT: "80a" }, "WEFT_PORT"],
  [{ WEFT_EDGE_ADDRESSES: "ws://one:80" }, "WEFT_EDGE_ADDRESSES"],
  [{ WEFT_ROLES: "api,cook" }, "WEFT_ROLES"],
  [{ WEFT_ROLES: "api" }, "WEFT_ROLES"],
  [{ WEFT_ROLES: "api", WEFT_DATABASE_URL: "postgres://db/weft" }, "WEFT_ROLES"],
  [{ WEFT_CLICKHOUSE_URL: "clickhouse://u:p@metrics" }, "WEFT_CLICKHOUSE_URL"],
  [{ WEFT_LOG_LEVEL: "loud" }, "WEFT_LOG_LEVEL"],
  [{ WEFT_ADMIN_PASSWORD: "a b c d" }, "WEFT_ADMIN_PASSWORD"],
  [{ WEFT_ADMIN_PASSWORD: "Admin" }, "WEFT_ADMIN_PASSWORD"],
  [{ WEFT_BACKUP_PASSPHRASE: "0123456789a" }, "WEFT_BACKUP_PASSPHRASE"],
  [{ WEFT_METRICS_LISTEN: "9464" }, "WEFT_METRICS_LISTEN"],
  [{ WEFT_METRICS_LISTEN: "127.0.0.1:94640" }, "WEFT_METRICS_LISTEN"],
  [{ WEFT_METRICS_LISTEN: "http://127.0.0.1:9464" }, "WEFT_METRICS_LISTEN"],
  [{ WEFT_PROTOCOL_IMPORT_URL: "ftp://files.example" }, "WEFT_PROTOCOL_IMPORT_URL"],
  [{ WEFT_PROTOCOL_IMPORT_URL: "https://u:p@files.example" }, "WEFT_PROTOCOL_IMPORT_URL"],
] as [Record<string, string>, string][])(
  "%j is refused by name, no secret is repeated",
  (env, name) => {
    const reading = () => readSettings(env);
    expect(reading).toThrow(new RegExp(`^${name} \\(`));
    const secret = env.WEFT_ADMIN_PASSWORD;
    if (secret) expect(reading).not.toThrow(secret);
  },
);

test("every row of the table has a description", () => {
  for (const row of Object.values(settingTable)) {
    expect(Object.values<string>(row).filter((text) => text.trim() === "")).toEqual([]);
  }
});

test("a variable that is no setting is refused, with the nearest that is one", () => {
  expect(() => readSettings({ WEFT_PROT: "80" })).toThrow(
    "WEFT_PROT: unknown setting; did you mean WEFT_PORT?",
  );
  expect(() => readSettings({ WEFT_DATABASE_URI: "x" })).toThrow("did you mean WEFT_DATABASE_URL?");
  expect(() => readSettings({ WEFT_EDGE_ADRESSES: "x" })).toThrow("mean WEFT_EDGE_ADDRESSES?");
  // Of the other programs.
  expect(readSettings({ WEFT_EDGE_DATA: "/x", WEFT_TEST_DATABASE_URL: "x", HOME: "/" }).port).toBe(
    8080,
  );
});

test("what Kubernetes adds for services of these names is no setting", () => {
  const links = (service: string, port: number) => ({
    [`${service}_SERVICE_HOST`]: "10.96.0.7",
    [`${service}_SERVICE_PORT`]: `${port}`,
    [`${service}_SERVICE_PORT_HTTP`]: `${port}`,
    [`${service}_PORT`]: `tcp://10.96.0.7:${port}`,
    [`${service}_PORT_${port}_TCP`]: `tcp://10.96.0.7:${port}`,
    [`${service}_PORT_${port}_TCP_PROTO`]: "tcp",
    [`${service}_PORT_${port}_TCP_PORT`]: `${port}`,
    [`${service}_PORT_${port}_TCP_ADDR`]: "10.96.0.7",
  });
  const injected = { ...links("WEFT", 80), ...links("WEFT_EDGE", 443), ...links("WEFT_DB", 5432) };
  expect(readSettings(injected)).toMatchObject({ port: 8080, edgePort: 8443 });
  expect(readSettings({ ...injected, WEFT_PORT: "9000" }).port).toBe(9_000);
  // Without the service it is a mistake of the operator.
  expect(() => readSettings({ WEFT_PORT: "tcp://10.96.0.7:80" })).toThrow(/^WEFT_PORT \(/);
  expect(() => readSettings({ ...injected, WEFT_PORTS: "1" })).toThrow("unknown setting");
});

test("secrets may lie in files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-secrets-"));
  const file = join(folder, "url");
  await writeFile(file, "postgres://u:p@db/weft\n");
  expect(readSettings({ WEFT_DATABASE_URL_FILE: file }).databaseUrl).toBe("postgres://u:p@db/weft");
  expect(() =>
    readSettings({ WEFT_DATABASE_URL_FILE: file, WEFT_DATABASE_URL: "postgres://x/y" }),
  ).toThrow("WEFT_DATABASE_URL and WEFT_DATABASE_URL_FILE are both set");
  expect(() => readSettings({ WEFT_SECRET_KEY_FILE: join(folder, "none") })).toThrow(
    /^WEFT_SECRET_KEY_FILE: .*ENOENT/,
  );
  expect(() => readSettings({ WEFT_PORT_FILE: file })).toThrow("unknown setting");
  await rm(folder, { recursive: true });
});
