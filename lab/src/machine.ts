/** A machine: network, mount, PID and UTS namespace of its own, held by one process. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endingWithCaller, environmentOf, failure } from "./command.ts";
import { mustExec } from "./enter.ts";
import { diskOf, type Lab, labFiles } from "./lab.ts";
import { childrenOf, identify, type ProcessIdentity, until } from "./process-identity.ts";
import { type NodeRole, nodeOf } from "./spec.ts";

/**
 * What is a machine's own besides its disk: the kernel's view of its interfaces, and every folder
 * in which two machines on one file system would meet (control sockets, pid files, named
 * namespaces, leases). The source is called `lab`, or mount(8) would take /sys for mounted already.
 */
const fstab = `lab /sys sysfs nosuid,nodev,noexec 0 0
lab /run tmpfs mode=755,nosuid,nodev 0 0
lab /run/frr tmpfs X-mount.mkdir,uid=frr,gid=frr,mode=755,nosuid,nodev 0 0
lab /var/log/frr tmpfs uid=frr,gid=frr,mode=755,nosuid,nodev 0 0
lab /var/lib/dhcp tmpfs mode=755,nosuid,nodev 0 0
lab /var/lib/misc tmpfs mode=755,nosuid,nodev 0 0
`;

/** A DHCP client that rewrites /etc/resolv.conf must not take the names from the real machine. */
const etc = { upper: "/run/lab/etc", work: "/run/lab/etc.work" };

export const writeFstab = (dir: string): void => writeFileSync(labFiles(dir).fstab, fstab);

// As a device or a computer has them after its installation.
const debian = [
  "net.ipv4.ip_forward=0",
  "net.ipv4.conf.all.rp_filter=0",
  "net.ipv4.conf.default.rp_filter=2",
];

// No check for duplicates (RFC 4862): the internet and the hosts are ready as soon as they are up.
const promptV6 = "net.ipv6.conf.default.accept_dad=0";

/**
 * A namespace starts with what the root one has set, so all that matters is set. Whatever else
 * the edge needs on a device, it must set by itself.
 */
const sysctls: Record<NodeRole, readonly string[]> = {
  internet: [
    "net.ipv4.ip_forward=1",
    "net.ipv6.conf.all.forwarding=1",
    promptV6,
    "net.ipv4.conf.all.rp_filter=0",
    "net.ipv4.conf.default.rp_filter=0",
    "net.ipv4.conf.all.send_redirects=0",
    "net.ipv4.conf.default.send_redirects=0",
    // An ISP answers ARP for its own network only, not for the other ISP's gateway.
    "net.ipv4.conf.all.arp_ignore=1",
  ],
  switch: ["net.ipv6.conf.all.disable_ipv6=1", "net.ipv6.conf.default.disable_ipv6=1"],
  device: debian,
  host: [...debian, promptV6],
};

/**
 * Starts a machine's first process and returns who it is. It outlives the caller where the lab does.
 *
 * It ignores SIGCHLD, which makes the kernel reap what daemons leave behind: a dead process would
 * otherwise look alive to a check of its pid.
 *
 * @throws LabError with the kernel's message, such as a missing right
 */
export async function startMachine(
  lab: Pick<Lab, "dir" | "outlives">,
  node: string,
): Promise<ProcessIdentity> {
  const disk = join(lab.dir, node);
  mkdirSync(disk, { recursive: true });
  const namespaces = ["--net", "--mount", "--pid", "--uts", "--mount-proc"];
  const first = ["env", "--ignore-signal=CHLD", "sleep", "infinity"];
  const unshare = ["unshare", ...namespaces, "--fork", "--kill-child", ...first];
  const line = lab.outlives ? unshare : endingWithCaller("KILL", unshare);
  const [program = "", ...args] = line;
  const log = join(disk, "machine.log");
  const fd = openSync(log, "a");
  const parent = spawn(program, args, {
    cwd: "/",
    env: environmentOf(),
    detached: true,
    stdio: ["ignore", fd, fd],
  });
  closeSync(fd);
  parent.unref();
  let ended = false;
  const end = () => {
    ended = true;
  };
  parent.once("error", end).once("exit", end);
  let machine: ProcessIdentity | undefined;
  await until(() => {
    machine = parent.pid === undefined ? undefined : sleeperOf(parent.pid);
    return ended || machine !== undefined;
  }, 60_000);
  if (machine) return machine;
  parent.kill("SIGKILL");
  throw failure(node, line, "did not start", readFileSync(log, "utf8"));
}

/** The child, once it is what it shall be: until then it is still unshare on the way to it. */
function sleeperOf(parent: number): ProcessIdentity | undefined {
  const [pid] = childrenOf(parent);
  if (pid === undefined) return undefined;
  try {
    const name = readFileSync(`/proc/${pid}/comm`, "utf8");
    return name === "sleep\n" ? identify(pid) : undefined;
  } catch {
    return undefined;
  }
}

/** Gives a started machine its own folders, its name and its kernel settings. */
export async function bootMachine(lab: Lab, node: string): Promise<void> {
  const { role } = nodeOf(lab.spec, node);
  const layers = `lowerdir=/etc,upperdir=${etc.upper},workdir=${etc.work}`;
  await mustExec(lab, node, ["mount", "--all", "--fstab", labFiles(lab.dir).fstab]);
  await mustExec(lab, node, ["mkdir", "-p", "/run/netns", "/run/lock", etc.upper, etc.work]);
  // The leases of dhcpcd outlive a reboot.
  const leases = join(diskOf(lab, node), "dhcpcd");
  await mustExec(lab, node, ["mkdir", "-p", leases, "/var/lib/dhcpcd"]);
  await mustExec(lab, node, ["mount", "--bind", leases, "/var/lib/dhcpcd"]);
  await mustExec(lab, node, ["mount", "-t", "overlay", "lab", "-o", layers, "/etc"]);
  const settings = [`kernel.hostname=${node}`, ...sysctls[role]];
  await mustExec(lab, node, ["sysctl", "-q", "-p", "-"], { input: settings.join("\n") });
}
