import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { machineSerial, readConfig, readNetworks, settings, UsageError, usage } from "./config.ts";

const folder = mkdtempSync(path.join(tmpdir(), "weft-edge-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("flags win over the environment, the environment over defaults", () => {
  expect(readConfig(["run"], {}).config).toMatchObject({
    data: "/var/lib/weft-edge",
    drift: "heal",
    serial: null,
  });
  const env = { WEFT_EDGE_DATA: "/a", WEFT_EDGE_SERIAL: "SN-1" };
  const { command, config } = readConfig(["enrol", "--data", "/b"], env);
  expect(command).toBe("enrol");
  expect(config).toMatchObject({ data: "/b", serial: "SN-1" });
});

test.each([
  [[], /one command of enrol, run/],
  [["fly"], /one command/],
  [["run", "enrol"], /one command/],
  [["run", "--drift", "maybe"], /--drift is one of heal, flag, not maybe/],
  [["run", "--data", ""], /--data is empty/],
  [["run", "--date", "x"], /--date/],
])("%j cannot be run, and the message says why", (argv, message) => {
  const call = () => readConfig(argv, {});
  expect(call).toThrow(UsageError);
  expect(call).toThrow(message);
});

test("every setting has its own flag and variable, and is in the usage", () => {
  const rows = Object.values(settings);
  expect(new Set(rows.map(({ flag }) => flag)).size).toBe(rows.length);
  expect(new Set(rows.map(({ env }) => env)).size).toBe(rows.length);
  for (const { flag, env, meaning } of rows) {
    expect(usage()).toContain(`--${flag} `);
    expect(usage()).toContain(env);
    expect(usage()).toContain(meaning);
  }
});

test("a placeholder is not used as a serial number", () => {
  const blank = path.join(folder, "product_serial");
  const id = path.join(folder, "machine-id");
  writeFileSync(blank, "To be filled by O.E.M.\n");
  writeFileSync(id, "5d0f0c7e9a3b4c51\n");
  expect(machineSerial([path.join(folder, "missing"), blank, id])).toBe("5d0f0c7e9a3b4c51");
  expect(() => machineSerial([blank])).toThrow("--serial");
});

test("networks of the management setting are read as networks, and a typing error is none", () => {
  expect(readNetworks("")).toEqual([]);
  expect(readNetworks("192.0.2.7, 198.51.100.9/24,2001:db8::1")).toEqual([
    "192.0.2.7/32",
    "198.51.100.0/24",
    "2001:db8::1/128",
  ]);
  expect(() => readNetworks("192.0.2.7,192.0.2.999")).toThrow(
    /192\.0\.2\.999 is neither an address/,
  );
  expect(readConfig(["run"], {}).config.manageFrom).toBe("");
});
