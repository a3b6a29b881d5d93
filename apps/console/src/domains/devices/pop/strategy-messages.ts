import { defineMessages } from "@weft/contract/kernel/message.ts";

export const strategyMessages = defineMessages({
  "popTab.label": ["列表", "List"],
  "popTab.pops": ["POP", "POPs"],
  "popTab.strategies": ["策略", "Strategies"],
  "popTab.groups": ["分组", "Groups"],
  "popStrategy.title": ["POP 策略", "POP strategies"],
  "popStrategy.add": ["新增策略", "Add strategy"],
  "popStrategy.search": ["策略名称", "Strategy name"],
  "popStrategy.users": ["使用的企业", "Enterprises"],
  "popStrategy.groups": ["分组", "Groups"],
  "popStrategy.order": [
    "按优先顺序选择。站点只与这些 POP 建立链路，优先使用靠前的 POP；同一分组内距离近的优先，其次负载低的优先",
    "In order of preference. Sites get links with these POPs only and prefer the first ones; within a group the nearest, then the least loaded",
  ],
  "popStrategy.sites": ["站点", "Sites"],
  "popStrategy.links": ["链路", "Links"],
  "popStrategy.standing": ["生效状态", "Effect"],
  "popStrategy.standingUnplaced": ["{count} 个站点无链路", "{count} without a link"],
  "popStrategy.standingMoving": ["{count} 个站点迁移中", "{count} moving"],
  "popStrategy.standingPlaced": ["已生效", "In effect"],
  "popStrategy.standingUnused": ["未使用", "Not in use"],
  "popStrategy.sitesOf": ["策略“{name}”的站点", "Sites of {name}"],
  "popStrategy.noSites": [
    "没有站点：没有企业选用此策略，或其 CPE 不在任何网络空间中",
    "No sites: no enterprise has selected this strategy, or its CPEs are in no space",
  ],
  "popStrategy.placed": ["已生效", "In effect"],
  "popStrategy.moving": ["迁移中", "Moving"],
  "popStrategy.movingHelp": [
    "新链路承载流量后，旧链路才拆除",
    "The old links go once the new ones carry the traffic",
  ],
  "popStrategy.unplaced": ["无链路", "No link"],
  "popStrategy.leaving": ["待拆除的 POP", "POPs that it leaves"],
  "popStrategy.reason": ["原因", "Reason"],
  "popStrategy.space": ["网络空间", "Space"],
  "popStrategy.empty": [
    "还没有 POP 策略。策略规定企业可以使用哪些 POP，新增后在企业管理中选用",
    "No POP strategies yet. A strategy defines which POPs an enterprise may use; add one, then select it for an enterprise",
  ],
  "popStrategy.removeBody": [
    "策略和其中的分组一并删除。正在使用它的企业需要先改选。",
    "The strategy and its groups are deleted. Enterprises that use it must select another one first.",
  ],
  "popGroup.title": ["POP 分组", "POP groups"],
  "popGroup.add": ["新增分组", "Add group"],
  "popGroup.empty": [
    "还没有 POP 分组。分组把策略中的 POP 按地区归在一起，先新增策略",
    "No POP groups yet. A group combines POPs of a strategy, for example by region; add a strategy first",
  ],
  "popGroup.removeBody": ["POP 和策略保留。", "The POPs and the strategy are kept."],
});
