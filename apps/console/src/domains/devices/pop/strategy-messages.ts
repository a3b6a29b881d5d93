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
  "popStrategy.order": ["按优先顺序选择", "In order of preference"],
  "popStrategy.empty": [
    "还没有 POP 策略。策略规定企业可以使用哪些 POP，新增后在企业管理中选用",
    "No POP strategies yet. A strategy defines which POPs an enterprise may use; add one, then select it for an enterprise",
  ],
  "popStrategy.removeBody": [
    "策略和其中的分组一并移除。正在使用它的企业需要先改选。",
    "The strategy and its groups are removed. Enterprises that use it must select another one first.",
  ],
  "popGroup.title": ["POP 分组", "POP groups"],
  "popGroup.add": ["新增分组", "Add group"],
  "popGroup.empty": [
    "还没有 POP 分组。分组把策略中的 POP 按地区归在一起，先新增策略",
    "No POP groups yet. A group combines POPs of a strategy, for example by region; add a strategy first",
  ],
  "popGroup.removeBody": ["POP 和策略保留。", "The POPs and the strategy are kept."],
});
