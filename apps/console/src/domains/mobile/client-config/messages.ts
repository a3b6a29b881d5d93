import { defineMessages } from "@weft/contract/kernel/message.ts";

export const clientConfigMessages = defineMessages({
  "clientConfig.title": ["配置管理", "Config management"],
  "clientConfig.enterprise": ["企业", "Enterprise"],
  "clientConfig.enable": ["启用移动接入", "Admit mobile accounts"],
  "clientConfig.where": ["接入位置", "Where clients connect"],
  "clientConfig.what": ["终端配置", "Client settings"],
  "clientConfig.limits": ["带宽与终端", "Bandwidth and terminals"],
  "clientConfig.spaceHelp": ["终端进入的网络空间", "The network space that clients connect to"],
  "clientConfig.popHelp": [
    "终端连接该空间中的这个 POP",
    "The POP of that space that clients connect to",
  ],
  "clientConfig.poolHelp": [
    "终端的地址从这里分配，不能与站点网段重叠；修改后终端需要新的配置",
    "Clients get their addresses from it; it must not overlap a site. After a change they need new configurations",
  ],
  "clientConfig.hostHelp": [
    "留空使用 POP 第一条 WAN 链路的地址；POP 在 NAT 之后时填公网地址或域名",
    "Empty: the address of the POP's first WAN link. Behind NAT: its public address or name",
  ],
  "clientConfig.dnsHelp": ["留空不修改终端的 DNS", "Empty: clients keep their own"],
  "clientConfig.routesHelp": [
    "留空为空间内所有站点的网段",
    "Empty: the networks of all sites of the space",
  ],
  "clientConfig.rateHelp": [
    "账号未设置时使用；留空不限速",
    "For accounts without a limit. Empty: no limit",
  ],
  "clientConfig.typesHelp": ["留空允许所有类型", "Empty: all"],
  "clientConfig.now": [
    "{clients} 个账号有密钥；UDP 端口 {port}",
    "{clients|account has|accounts have} a key; UDP port {port}",
  ],
  "clientConfig.noSpace": [
    "这个企业还没有网络空间，请先创建",
    "This enterprise has no network space yet; add one first",
  ],
  "clientConfig.spaces": ["网络空间", "Network spaces"],
});
