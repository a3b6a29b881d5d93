import { standbyCapability } from "@weft/contract/device/v1/standby.ts";

const config = [
  'global_defs {\\n vrrp_version 3\\n router_id weft\\n}\\ntrack_file a {\\n file "/dev/null"\\n weight -253\\n}',
  "vrrp_instance b {\\n interface t0\\n virtual_router_id 1\\n advert_int 0.1\\n track_file {\\n a\\n }",
  " virtual_ipaddress {\\n 192.0.2.1/24 dev t0\\n }\\n}\\n",
].join("\\n");
/** The program reads its configuration from a regular file only. */
const test = `d=$(mktemp -d) && printf '${config}' > $d/c && keepalived -t -f $d/c; r=$?; rm -r $d; exit $r`;

/** Whether the program knows what the driver writes. */
export const vrrp = {
  name: standbyCapability,
  tries: [
    ["unshare", "--net", "sh", "-c", `ip link add name t0 type veth peer name t1 && ${test}`],
  ],
  near: [["keepalived", "--version"]],
} as const;
