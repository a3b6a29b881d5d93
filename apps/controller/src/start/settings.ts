import { parsePrefix, prefixText } from "@weft/contract/rules/address.ts";
import { isPassword } from "@weft/contract/rules/text.ts";
import { isWeakPassword } from "@weft/contract/rules/weak-password.ts";
import { refuseUnknown, withoutServiceLinks, withSecretFiles } from "./setting-names.ts";

/** `wss://host:port` of what devices connect to; null: this is none. */
function secureAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "wss:" && url.hostname !== "" ? `wss://${url.host}` : null;
}

/** Parts of a list, separated by commas. */
const partsOf = (text: string | undefined): string[] =>
  text?.split(",").map((part) => part.trim()) ?? [];

/** A prefix, or an address as the prefix of itself; null: this is neither. */
function networkIn(text: string): string | null {
  const whole = prefixText(text);
  return parsePrefix(whole) ? whole : null;
}

/** Why the first administrator must not have this password; null: it may. */
function faultOfPassword(password: string, isDemonstration: boolean): string | null {
  if (!isPassword(password)) return "5 to 12 characters, no white space";
  const isWeak = !isDemonstration && isWeakPassword(password, ["admin"]);
  return isWeak ? "too easy to guess" : null;
}

/** Parts of the controller that a process may run (design section 2). */
export const roles = ["api", "gateway", "worker"] as const;
export type Role = (typeof roles)[number];

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly edgePort: number;
  /** Where devices find the controller; empty: not set. */
  readonly edgeAddresses: readonly string[];
  readonly dataDir: string;
  /** Absent: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Seconds that a statement of a call may take. */
  readonly statementSeconds: number;
  /** Absent: the embedded ClickHouse. */
  readonly clickhouseUrl: string | undefined;
  readonly roles: ReadonlySet<Role>;
  /** Absent: one is made and printed once. */
  readonly adminPassword: string | undefined;
  readonly operatorName: string;
  readonly logLevel: string;
  readonly trustProxy: readonly string[];
  /** Absent: where the build of this installation puts it. */
  readonly consoleDir: string | undefined;
  /** Days that records of logins are kept. */
  readonly loginLogDays: number;
  /** What the identity in a backup is under; absent: no backup can be made or restored. */
  readonly backupPassphrase: string | undefined;
  /** For secrets in the database; absent: a file in the data folder holds it. */
  readonly secretKey: Buffer | undefined;
  /** The key before it: secrets under it are put under `secretKey` at the start. */
  readonly previousKey: Buffer | undefined;
  /** Absent: the product's own name in the reader's language. */
  readonly title: string | undefined;
  /** Absent: no mail leaves. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Absent: no text message leaves. */
  readonly smsUrl: string | undefined;
  readonly smsToken: string | undefined;
  /** Networks besides the public ones to which robots and webhooks may lead. */
  readonly hookNetworks: readonly string[];
  /** Networks besides the public ones in which identity providers may be. */
  readonly identityNetworks: readonly string[];
  /** Login requires a code by text message. */
  readonly loginSms: boolean;
  /** Absent: no protocol files are sent to a service elsewhere. */
  readonly protocolImportUrl: string | undefined;
  /** True: the demonstration with its own database (npm start). */
  readonly demonstration: boolean;
  /** Where metrics of the processes are served; null: nowhere. */
  readonly metricsListener: { readonly host: string; readonly port: number } | null;
}

interface SettingRow {
  readonly name: `WEFT_${string}`;
  readonly type: string;
  readonly default: string;
  readonly meaning: string;
}

/** Every setting, once; docs/settings.md is made from this. All come from the environment. */
export const settingTable = {
  port: {
    name: "WEFT_PORT",
    type: "port",
    default: "8080",
    meaning: "HTTP port of console and API; 0 selects a free port",
  },
  host: {
    name: "WEFT_HOST",
    type: "address",
    default: "127.0.0.1",
    meaning:
      "Address that console and API listen on; plain HTTP, so put a proxy with TLS in front of it for other machines",
  },
  edgePort: {
    name: "WEFT_EDGE_PORT",
    type: "port",
    default: "8443",
    meaning: "TLS port for edges, on all addresses; 0 selects a free port",
  },
  edgeAddresses: {
    name: "WEFT_EDGE_ADDRESSES",
    type: "list of wss://host:port",
    default: "none: no activation codes; in the demonstration wss://127.0.0.1:<WEFT_EDGE_PORT>",
    meaning: "Addresses at which devices reach the controller; part of every activation code",
  },
  dataDir: {
    name: "WEFT_DATA",
    type: "folder",
    default: ".weft",
    meaning: "Files of the embedded stores and the controller's identity",
  },
  databaseUrl: {
    name: "WEFT_DATABASE_URL",
    type: "postgres:// URL",
    default: "embedded PostgreSQL",
    meaning: "PostgreSQL 15 or newer; the login owns the database and may create roles",
  },
  statementSeconds: {
    name: "WEFT_DATABASE_TIMEOUT",
    type: "seconds, 1 to 3600",
    default: "30",
    meaning:
      "Time limit of a statement for a call or a device; ten times as long for the worker. A server that does not respond for another 5 s counts as unavailable",
  },
  clickhouseUrl: {
    name: "WEFT_CLICKHOUSE_URL",
    type: "http:// or https:// URL",
    default: "embedded ClickHouse",
    meaning:
      "ClickHouse 24.8 or newer for metrics; user, password and database are part of the URL",
  },
  roles: {
    name: "WEFT_ROLES",
    type: "list of all, api, gateway, worker",
    default: "all",
    meaning:
      "What this process runs; separate roles need WEFT_DATABASE_URL and WEFT_CLICKHOUSE_URL",
  },
  adminPassword: {
    name: "WEFT_ADMIN_PASSWORD",
    type: "password",
    default: "generated; in first-password in WEFT_DATA and printed until the first login",
    meaning: "Password of the first administrator, admin, when the database is new",
  },
  operatorName: {
    name: "WEFT_OPERATOR_NAME",
    type: "name",
    default: "运营中心",
    meaning: "Name of the enterprise at the top of the tree, when the database is new",
  },
  logLevel: {
    name: "WEFT_LOG_LEVEL",
    type: "fatal, error, warn, info, debug, trace or silent",
    default: "info",
    meaning: "Lowest level that is logged, as JSON lines",
  },
  metricsListener: {
    name: "WEFT_METRICS_LISTEN",
    type: "host:port or off",
    default: "off",
    meaning:
      "Listener for Prometheus, such as 127.0.0.1:9464: plain HTTP without login, for operators",
  },
  trustProxy: {
    name: "WEFT_TRUST_PROXY",
    type: "list of addresses or prefixes",
    default: "none",
    meaning: "Proxies whose X-Forwarded-For header is trusted",
  },
  consoleDir: {
    name: "WEFT_CONSOLE",
    type: "folder",
    default: "build/console of this installation",
    meaning: "The built console",
  },
  loginLogDays: {
    name: "WEFT_LOGIN_LOG_DAYS",
    type: "days, 1 to 36500",
    default: "180",
    meaning: "How long records of logins are kept; the operation log is kept permanently",
  },
  backupPassphrase: {
    name: "WEFT_BACKUP_PASSPHRASE",
    type: "12 characters or more",
    default: "none",
    meaning: "Protects the controller's identity in a backup; store it separately from the backups",
  },
  secretKey: {
    name: "WEFT_SECRET_KEY",
    type: "32 bytes in base64",
    default: "secrets.key in WEFT_DATA, generated at the first start",
    meaning: "Encrypts secrets in the database; the same for all processes on one database",
  },
  previousKey: {
    name: "WEFT_SECRET_KEY_PREVIOUS",
    type: "32 bytes in base64",
    default: "none",
    meaning: "The previous key: a start encrypts all secrets again, with WEFT_SECRET_KEY",
  },
  title: {
    name: "WEFT_TITLE",
    type: "name",
    default: "SD-WAN 编排管理平台 / SD-WAN Orchestrator",
    meaning: "Name of the product on pages and in e-mails; agents may have their own",
  },
  smtpUrl: {
    name: "WEFT_SMTP_URL",
    type: "smtp:// or smtps:// URL",
    default: "none: no e-mails are sent",
    meaning: "Mail server; user and password are part of the URL",
  },
  mailFrom: {
    name: "WEFT_MAIL_FROM",
    type: "e-mail address",
    default: "weft@localhost",
    meaning: "Sender of e-mails",
  },
  smsUrl: {
    name: "WEFT_SMS_URL",
    type: "http:// or https:// URL",
    default: "none: no text messages are sent",
    meaning: "HTTP gateway for text messages; docs/operations.md describes the request",
  },
  smsToken: {
    name: "WEFT_SMS_TOKEN",
    type: "token",
    default: "none",
    meaning: "Sent to that gateway as a Bearer token",
  },
  hookNetworks: {
    name: "WEFT_HOOK_NETWORKS",
    type: "list of addresses or prefixes",
    default: "none: public addresses only, by https",
    meaning: "Private networks that notifications and webhooks may be sent to, also by http",
  },
  identityNetworks: {
    name: "WEFT_IDENTITY_NETWORKS",
    type: "list of addresses or prefixes",
    default: "none: public addresses only, by https",
    meaning: "Private networks in which identity providers of single sign-on may be, also by http",
  },
  loginSms: {
    name: "WEFT_LOGIN_SMS",
    type: "on or off",
    default: "off",
    meaning: "Users with a phone number need a code by text message to log in",
  },
  protocolImportUrl: {
    name: "WEFT_PROTOCOL_IMPORT_URL",
    type: "http:// or https:// URL",
    default: "none: the import is not offered",
    meaning:
      "External service that browsers send protocol files to; docs/operations.md describes the request",
  },
} as const satisfies Partial<Record<keyof Settings, SettingRow>>;

type Environment = Readonly<Record<string, string | undefined>>;
type Key = keyof typeof settingTable;

const allNames: readonly string[] = Object.values(settingTable).map(({ name }) => name);

/** Those that hold a secret: each may be given as a file as well, NAME_FILE. */
const secretKeys = [
  "databaseUrl",
  "clickhouseUrl",
  "adminPassword",
  "backupPassphrase",
  "secretKey",
  "previousKey",
  "smtpUrl",
  "smsToken",
] as const satisfies readonly string[];
const secretNames = secretKeys.map((key) => settingTable[key as Key].name);

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/**
 * Reads the settings.
 * @throws Error naming the variable, its type and what is wrong; values of secrets are not shown.
 */
export function readSettings(all: Environment, args: readonly string[] = []): Settings {
  const given = withoutServiceLinks(all);
  refuseUnknown(given, allNames, secretNames);
  return toSettings(withSecretFiles(given, secretNames), args);
}

function toSettings(env: Environment, args: readonly string[]): Settings {
  const given = (key: Key): string | undefined => env[settingTable[key].name]?.trim() || undefined;
  const value = (key: Key): string => given(key) ?? settingTable[key].default;
  const demonstration = args.includes("--demonstration");
  const settings: Settings = {
    host: value("host"),
    port: toPort("port", value("port")),
    edgePort: toPort("edgePort", value("edgePort")),
    edgeAddresses: toAddresses(given("edgeAddresses")),
    dataDir: value("dataDir"),
    databaseUrl: given("databaseUrl"),
    statementSeconds: toWhole("statementSeconds", value("statementSeconds"), 3_600),
    clickhouseUrl: toUrl("clickhouseUrl", given("clickhouseUrl"), webSchemes),
    roles: toRoles(value("roles")),
    // A password may begin or end with anything but white space, which its rule refuses.
    adminPassword: env.WEFT_ADMIN_PASSWORD || undefined,
    operatorName: value("operatorName"),
    logLevel: value("logLevel"),
    trustProxy: partsOf(given("trustProxy")),
    consoleDir: given("consoleDir"),
    loginLogDays: toWhole("loginLogDays", value("loginLogDays"), 36_500),
    backupPassphrase: env.WEFT_BACKUP_PASSPHRASE || undefined,
    secretKey: toKey("secretKey", given("secretKey")),
    previousKey: toKey("previousKey", given("previousKey")),
    title: given("title"),
    smtpUrl: toUrl("smtpUrl", given("smtpUrl"), ["smtp:", "smtps:"]),
    mailFrom: toMailAddress(value("mailFrom")),
    smsUrl: toUrl("smsUrl", given("smsUrl"), webSchemes),
    smsToken: given("smsToken"),
    hookNetworks: toNetworks("hookNetworks", given("hookNetworks")),
    identityNetworks: toNetworks("identityNetworks", given("identityNetworks")),
    loginSms: toSwitch("loginSms", value("loginSms")),
    protocolImportUrl: toPublicUrl("protocolImportUrl", given("protocolImportUrl")),
    demonstration,
    metricsListener: toListener("metricsListener", value("metricsListener")),
  };
  check(settings);
  return settings;
}

function check(settings: Settings): void {
  const { roles: wanted, databaseUrl, clickhouseUrl, adminPassword, backupPassphrase } = settings;
  const { logLevel, demonstration } = settings;
  if (wanted.size < roles.length && databaseUrl === undefined) {
    fail("roles", "separate roles need an external database: set WEFT_DATABASE_URL as well");
  }
  if (wanted.size < roles.length && clickhouseUrl === undefined) {
    fail("roles", "separate roles need an external metrics store: set WEFT_CLICKHOUSE_URL as well");
  }
  if (!logLevels.includes(logLevel)) fail("logLevel", "no such level");
  if (settings.loginSms && settings.smsUrl === undefined) {
    fail("loginSms", "codes could not be sent: set WEFT_SMS_URL as well");
  }
  if (backupPassphrase !== undefined && backupPassphrase.length < 12) {
    fail("backupPassphrase", "too short");
  }
  if (settings.previousKey !== undefined && settings.secretKey === undefined) {
    fail("previousKey", "set the new key as well: WEFT_SECRET_KEY");
  }
  const fault = adminPassword === undefined ? null : faultOfPassword(adminPassword, demonstration);
  if (fault !== null) fail("adminPassword", fault);
}

function fail(key: Key, reason: string): never {
  const { name, type } = settingTable[key];
  throw new Error(`${name} (${type}): ${reason}.`);
}

function toPort(key: Key, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) fail(key, "must be 0 to 65535");
  return Number(text);
}

/** An IPv6 address is in brackets. */
function toListener(key: Key, text: string): Settings["metricsListener"] {
  if (text === "off") return null;
  const [, host, port = ""] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d+)$/i.exec(text) ?? [];
  if (host === undefined) fail(key, "must be host:port or off");
  return { host: host.replaceAll(/[[\]]/g, ""), port: toPort(key, port) };
}

function toWhole(key: Key, text: string, max: number): number {
  const whole = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (whole < 1 || whole > max) fail(key, `must be 1 to ${max}`);
  return whole;
}

function toKey(name: Key, text: string | undefined): Buffer | undefined {
  const key = text === undefined ? undefined : Buffer.from(text, "base64");
  if (key && key.length !== 32) fail(name, "it is of another length");
  return key;
}

const webSchemes = ["http:", "https:"];

function toUrl(key: Key, text: string | undefined, schemes: readonly string[]): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The value may hold a password: it is not shown.
  if (!url || !schemes.includes(url.protocol) || url.hostname === "") fail(key, "this is none");
  return text;
}

/** A URL that is public: a password in it would be public as well. */
function toPublicUrl(key: Key, text: string | undefined): string | undefined {
  const url = toUrl(key, text, webSchemes);
  if (url === undefined) return undefined;
  const { username, password, href } = new URL(url);
  if (username !== "" || password !== "") fail(key, "browsers read it: no user, no password");
  return href;
}

const toMailAddress = (text: string): string =>
  /^[^\s<>,;"@]+@[^\s<>,;"@]+$/.test(text) ? text : fail("mailFrom", "one address, without a name");

function toSwitch(key: Key, text: string): boolean {
  if (text !== "on" && text !== "off") fail(key, "must be on or off");
  return text === "on";
}

const toAddresses = (text: string | undefined): string[] =>
  partsOf(text).map((part) => secureAddress(part) ?? fail("edgeAddresses", `${part} is none`));

const toNetworks = (key: Key, text: string | undefined): string[] =>
  partsOf(text).map((part) => networkIn(part) ?? fail(key, `${part} is none`));

function toRoles(text: string): ReadonlySet<Role> {
  const names = text.split(",").map((role) => role.trim());
  if (names.includes("all")) return new Set(roles);
  const known = names.filter((role): role is Role => (roles as readonly string[]).includes(role));
  if (known.length !== names.length) fail("roles", "unknown role");
  return new Set(known);
}
