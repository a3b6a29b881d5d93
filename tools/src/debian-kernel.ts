// The campaign `debian`: test files that need what the kernels of test machines may lack (VLANs), on Debian's kernel in a
// virtual machine (QEMU without KVM). It sees this machine's files, and what it writes is gone with it.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { inRoot, root } from "./repository.ts";
import { runCommand } from "./run-command.ts";

const folder = inRoot("build/debian-kernel");
/** What the machine begins with, before it sees any file. */
const initial = path.join(folder, "initial");
const modulesToBoot = ["virtio_pci", "9pnet_virtio", "9p", "overlay"];
/** Loaded before: what loads them first would wait for them, as the edge does that looks for what the kernel can. */
const modulesOfTests = [
  "8021q",
  "act_mirred",
  "bridge",
  "cls_bpf",
  "ifb",
  "nf_conntrack_netlink",
  "nf_tables",
  "nft_chain_nat",
  "nft_ct",
  "nft_fib_inet",
  "nft_hash",
  "nft_limit",
  "nft_masq",
  "nft_nat",
  "nft_numgen",
  "nft_objref",
  "nft_reject_inet",
  "sch_htb",
  "sch_ingress",
  "tun",
  "veth",
  "wireguard",
];
/** Emulated, everything takes ten times as long. */
const limitMs = 60 * 60_000;
const memoryMib = 3_072;

async function outputOf(argv: readonly [string, ...string[]], cwd = folder): Promise<string> {
  const { code, output } = await runCommand(argv, { capture: true, cwd });
  if (code !== 0) throw new Error(`${argv.join(" ")} ended with code ${code}: ${output}`);
  return output;
}

/** The newest kernel that the sources of packages have. @returns its release */
async function unpackKernel(): Promise<string> {
  const depends = await outputOf(["apt-cache", "depends", "linux-image-amd64"]);
  const name = /linux-image-(\S+-amd64)/.exec(depends.replace("linux-image-amd64", ""));
  const release = name?.[1];
  if (release === undefined) throw new Error(`no kernel in: ${depends}`);
  if (existsSync(path.join(folder, "kernel/boot", `vmlinuz-${release}`))) return release;
  await outputOf(["apt-get", "download", `linux-image-${release}`]);
  const [file] = readdirSync(folder).filter((entry) => entry.startsWith("linux-image-"));
  if (file === undefined) throw new Error("apt-get has downloaded no kernel");
  await outputOf(["dpkg-deb", "-x", file, "kernel"]);
  rmSync(path.join(folder, file));
  await outputOf(["depmod", "-b", "kernel", release]);
  return release;
}

/** Modules with those that they need, each after what it needs. */
async function moduleFiles(release: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const name of modulesToBoot) {
    const text = await outputOf([
      "modprobe",
      "-d",
      "kernel",
      "-S",
      release,
      "--show-depends",
      name,
    ]);
    files.push(...[...text.matchAll(/^insmod (\S+)/gm)].map(([, file = ""]) => file));
  }
  return [...new Set(files)];
}

/** Mounts the files of this machine, unchangeable, below a file system in memory. */
const bootScript = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for module in /modules/*.ko; do insmod $module; done
mkdir -p /lower /memory /both
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=512000 files /lower
mount -t tmpfs -o size=2g memory /memory
mkdir /memory/upper /memory/work
mount -t overlay -o lowerdir=/lower,upperdir=/memory/upper,workdir=/memory/work both /both
for name in dev proc sys; do mount --move /$name /both/$name; done
exec switch_root /both /bin/bash ${path.join(folder, "run.sh")}
`;

/** The exit code is read from the console: a virtual machine has none. */
const runScript = (release: string, files: readonly string[]): string => `
export PATH=${path.dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root CI=1
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts; mount -t tmpfs shm /dev/shm; mount -t tmpfs run /run
mkdir -p /lib/modules/${release}
mount --bind ${path.join(folder, "kernel/lib/modules", release)} /lib/modules/${release}
for module in ${modulesOfTests.join(" ")}; do modprobe $module; done
ip link set lo up
cd ${root}
node node_modules/vitest/vitest.mjs run --project=debian ${files.join(" ")} < /dev/null 2>&1 | cat
echo "exit code \${PIPESTATUS[0]}"
echo o > /proc/sysrq-trigger
sleep 60
`;

async function packInitial(release: string): Promise<void> {
  rmSync(initial, { recursive: true, force: true });
  for (const name of ["bin", "dev", "modules", "proc", "sys"])
    mkdirSync(path.join(initial, name), { recursive: true });
  copyFileSync("/bin/busybox", path.join(initial, "bin/busybox"));
  for (const [at, file] of (await moduleFiles(release)).entries()) {
    const name = `${String(at).padStart(2, "0")}-${path.basename(file)}`;
    copyFileSync(path.resolve(folder, file), path.join(initial, "modules", name));
  }
  writeFileSync(path.join(initial, "init"), bootScript);
  chmodSync(path.join(initial, "init"), 0o755);
  const pack = `cd ${initial} && find . | cpio --quiet -o -H newc | gzip -1 > ${folder}/initial.gz`;
  await outputOf(["sh", "-c", pack]);
}

const machine = (release: string): readonly [string, ...string[]] => [
  "qemu-system-x86_64",
  "-accel",
  "tcg,thread=multi",
  "-cpu",
  "qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt",
  "-smp",
  "2",
  "-m",
  `${memoryMib}`,
  "-nodefaults",
  "-no-user-config",
  "-no-reboot",
  "-display",
  "none",
  "-serial",
  "stdio",
  "-kernel",
  `kernel/boot/vmlinuz-${release}`,
  "-initrd",
  "initial.gz",
  "-append",
  "console=ttyS0 quiet panic=-1",
  "-fsdev",
  "local,id=files,path=/,security_model=none,readonly=on,multidevs=remap",
  "-device",
  "virtio-9p-pci,fsdev=files,mount_tag=files",
];

mkdirSync(folder, { recursive: true });
const release = await unpackKernel();
await packInitial(release);
writeFileSync(path.join(folder, "run.sh"), runScript(release, process.argv.slice(2)));
const { code, output, isLate } = await runCommand(machine(release), {
  capture: true,
  cwd: folder,
  limitMs,
});
console.log(output);
const ended = /^exit code (\d+)\r?$/m.exec(output)?.[1];
if (isLate) console.error(`debian: did not end within ${limitMs / 60_000} min`);
else if (ended === undefined) console.error(`debian: the machine ended by itself, code ${code}`);
process.exitCode = ended === "0" ? 0 : 1;
