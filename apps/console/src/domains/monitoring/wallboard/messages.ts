import { defineMessages } from "@weft/contract/kernel/message.ts";

export const wallboardMessages = defineMessages({
  "screen.stale": ["数据截至 {time}", "Data as of {time}"],
  "screen.sites": ["在线 CPE / 全部", "CPEs online / all"],
  "screen.pops": ["在线 POP / 全部", "POPs online / all"],
  "screen.links": ["正常链路 / 全部", "Links up / all"],
  "screen.enterprises": ["企业", "Enterprises"],
  "screen.spaces": ["网络空间", "Network spaces"],
  "screen.causes": ["当前问题", "Problems now"],
  "screen.downLinks": ["中断的链路", "Links that are down"],
  "screen.allUp": ["所有链路正常", "All links are up"],
  "screen.popLoad": ["POP 的链路", "Links of POPs"],
  "screen.linksUp": ["{up} / {all} 正常", "{up} / {all} up"],
  "screen.noPops": ["还没有 POP", "No POPs yet"],
  "screen.expiring": ["即将到期和已到期的 CPE", "CPEs due soon or expired"],
  "screen.noneExpires": ["没有即将到期的 CPE", "Nothing is due soon"],
});
