import { defineMessages } from "@weft/contract/kernel/message.ts";

export const blacklistMessages = defineMessages({
  "black.title": ["黑名单", "Blacklist"],
  "black.add": ["新增条目", "Add entry"],
  "black.empty": ["没有黑名单条目", "The blacklist is empty"],
  "black.search": ["内容", "Value"],
  "black.removeBody": [
    "所选内容立即重新放行。",
    "Traffic that it blocks passes again immediately.",
  ],
  "black.allCpes": ["全部 CPE", "All CPEs"],
  "black.all": ["企业的全部 CPE", "All CPEs of the enterprise"],
  "black.valueHelp": [
    "IP、MAC 由设备拦截；域名由设备的 DNS 服务拦截，不限制使用其他 DNS 服务器的主机；网址暂只保存",
    "Devices block IP and MAC addresses, and domains by their DNS server, which hosts with another one do not ask; URLs are saved only",
  ],
});
