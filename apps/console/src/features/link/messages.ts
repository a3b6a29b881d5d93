import { defineMessages } from "@weft/contract/kernel/message.ts";

export const linkMessages = defineMessages({
  "links.title": ["链路管理", "Links"],
  "links.search": ["节点名称", "Node name"],
  "links.space": ["网络空间", "Network space"],
  "links.state": ["状态", "State"],
  "links.node": ["节点", "Node"],
  "links.empty": [
    "还没有链路。把 POP 和 CPE 加入同一个网络空间后自动建立",
    "No links yet. They come up by themselves once a POP and a CPE are in one network space",
  ],
  "links.toSpaces": ["去网络空间", "Go to network spaces"],
});
