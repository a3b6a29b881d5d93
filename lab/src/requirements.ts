/** The Debian packages that the lab, the edge's drivers and the browser of the journeys need. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { command, environmentOf } from "./command.ts";
import { LabError } from "./lab-error.ts";

export interface Requirement {
  /** Name of the Debian package. */
  readonly package: string;
  /** What proves that it is there: commands on the path, or files by their full path. */
  readonly proof: readonly string[];
  readonly neededBy: "lab" | "edge" | "browser" | "campaign";
}

export const requirements: readonly Requirement[] = [
  { package: "util-linux", proof: ["unshare", "nsenter", "setpriv"], neededBy: "lab" },
  { package: "mount", proof: ["mount"], neededBy: "lab" },
  { package: "procps", proof: ["sysctl"], neededBy: "lab" },
  { package: "iproute2", proof: ["ip", "tc", "ss"], neededBy: "lab" },
  { package: "nftables", proof: ["nft"], neededBy: "lab" },
  { package: "dnsmasq-base", proof: ["dnsmasq"], neededBy: "lab" },
  { package: "iputils-ping", proof: ["ping"], neededBy: "lab" },
  { package: "tcpdump", proof: ["tcpdump"], neededBy: "lab" },
  // The client of hosts, and of edges before dhcpcd.
  { package: "isc-dhcp-client", proof: ["dhclient"], neededBy: "lab" },
  // Its user owns a folder in every machine.
  { package: "frr", proof: ["vtysh", "/usr/lib/frr/bgpd", "/usr/lib/frr/bfdd"], neededBy: "lab" },
  { package: "wireguard-tools", proof: ["wg"], neededBy: "edge" },
  { package: "wireguard-go", proof: ["wireguard-go"], neededBy: "edge" },
  { package: "dhcpcd-base", proof: ["dhcpcd"], neededBy: "edge" },
  { package: "keepalived", proof: ["keepalived"], neededBy: "edge" },
  { package: "conntrack", proof: ["conntrack"], neededBy: "edge" },
  { package: "fping", proof: ["fping"], neededBy: "edge" },
  { package: "openssl", proof: ["openssl"], neededBy: "edge" },
  { package: "ethtool", proof: ["ethtool"], neededBy: "edge" },
  // The same engine without windows: pages come up in four fifths of the time.
  { package: "chromium-headless-shell", proof: ["chromium-headless-shell"], neededBy: "browser" },
  {
    package: "fonts-noto-cjk",
    proof: ["/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"],
    neededBy: "browser",
  },
];

/** What a campaign of `npm run test:full` needs beside these, by its name; no run of all tests installs it. */
export const campaignRequirements: Readonly<Record<string, readonly Requirement[]>> = {
  prometheus: [{ package: "prometheus", proof: ["prometheus", "promtool"], neededBy: "campaign" }],
  debian: [
    { package: "qemu-system-x86", proof: ["qemu-system-x86_64"], neededBy: "campaign" },
    { package: "busybox-static", proof: ["/bin/busybox"], neededBy: "campaign" },
    { package: "kmod", proof: ["modprobe", "depmod"], neededBy: "campaign" },
    { package: "cpio", proof: ["cpio"], neededBy: "campaign" },
  ],
};

const isThere = (proof: string): boolean => {
  const folders = environmentOf().PATH.split(delimiter);
  const candidates = isAbsolute(proof) ? [proof] : folders.map((folder) => join(folder, proof));
  return candidates.some(existsSync);
};

/** Of the wanted requirements those with a command or file that is missing. */
export const missing = (wanted: readonly Requirement[] = requirements): Requirement[] =>
  wanted.filter(({ proof }) => !proof.every(isThere));

/** Why there can be no lab on this machine; empty when there can. */
export function labObstacles(
  uid = process.getuid?.(),
  wanted: readonly Requirement[] = requirements,
): string[] {
  if (process.platform !== "linux") return [`this is ${process.platform}, not Linux`];
  const absent = missing(wanted.filter(({ neededBy }) => neededBy === "lab"));
  return [
    ...(uid === 0 ? [] : ["it needs root (network namespaces are made)"]),
    ...absent.map(({ package: name, proof }) => `package ${name} is missing (${proof.join(", ")})`),
  ];
}

/** @throws LabError that says all that is in the way. */
export function assertLabPossible(obstacles = labObstacles()): void {
  if (obstacles.length > 0) throw new LabError(`no lab here: ${obstacles.join("; ")}`);
}

export interface Installation {
  /** Packages that were installed now. */
  readonly installed: readonly string[];
  /** Why something is still missing; empty when all is there. */
  readonly reasons: readonly string[];
}

/**
 * Installs what is missing where that is allowed: on Debian, as root. Takes seconds to minutes,
 * and no time when nothing is missing. What fails is reported in `reasons`, not thrown.
 */
export async function ensureInstalled(
  wanted: readonly Requirement[] = requirements,
): Promise<Installation> {
  const absent = missing(wanted);
  const names = absent.map((requirement) => requirement.package);
  if (names.length === 0) return { installed: [], reasons: [] };
  const hindrance = installHindrance();
  if (hindrance) return { installed: [], reasons: [`${hindrance}; missing: ${names.join(" ")}`] };
  const trouble = await withoutServices(() => install(names));
  const left = missing(absent).map((requirement) => requirement.package);
  return {
    installed: names.filter((name) => !left.includes(name)),
    reasons: left.length === 0 ? [] : [`missing: ${left.join(" ")}`, ...trouble],
  };
}

function installHindrance(): string | undefined {
  if (!existsSync("/etc/debian_version") || !isThere("apt-get")) return "not a Debian with apt-get";
  return process.getuid?.() === 0 ? undefined : "not root";
}

/** @returns what apt-get complained about. */
async function install(names: readonly string[]): Promise<string[]> {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  // Another installation may be under way: wait for it instead of failing.
  const lock = ["-o", "DPkg::Lock::Timeout=300"];
  const trouble: string[] = [];
  for (const argv of [
    ["apt-get", ...lock, "-qq", "update"],
    ["apt-get", ...lock, "-qq", "install", "--yes", "--no-install-recommends", ...names],
  ]) {
    const { code, stderr } = await command("root", argv, { env, timeout: 900_000 });
    if (code !== 0) trouble.push(`${argv.join(" ")} ended with ${code}: ${stderr.slice(-2000)}`);
  }
  return trouble;
}

/**
 * Debian starts a service as soon as it is installed, unless this program answers 101 (policy of
 * invoke-rc.d). It is put in place for the time of `action`; one that was there comes back.
 */
export async function withoutServices<T>(
  action: () => Promise<T>,
  policy = "/usr/sbin/policy-rc.d",
): Promise<T> {
  const kept = `${policy}.before-weft`;
  // Left behind by a run that was ended in the middle: then the file in place is ours.
  const had = isFile(kept) || isFile(policy);
  if (had && !isFile(kept)) renameSync(policy, kept);
  try {
    writeFileSync(policy, "#!/bin/sh\nexit 101\n");
    chmodSync(policy, 0o755);
    return await action();
  } finally {
    if (had) renameSync(kept, policy);
    else rmSync(policy, { force: true });
  }
}

function isFile(path: string): boolean {
  try {
    accessSync(path, constants.F_OK);
    return true;
  } catch {
    return false;
  }
}
