import { defineMessages } from "@weft/contract/kernel/message.ts";

export const cugMessages = defineMessages({
  "cug.title": ["CUG 管理", "CUG"],
  "cug.add": ["新增用户组", "Add group"],
  "cug.edit": ["编辑用户组 {name}", "Edit group {name}"],
  "cug.empty": [
    "还没有封闭用户组。组内 CPE 之间互通，与组外站点隔离",
    "No closed user groups yet. The CPEs of a group reach each other, and no site outside it",
  ],
  "cug.bandwidth": ["组带宽 Mbit/s", "Mbit/s of a member"],
  "cug.bandwidthHelp": [
    "每台 CPE 发往组内其他成员的上限，不低于 0.064",
    "What each CPE sends to the other members at most, 0.064 or more",
  ],
  "cug.noCpe": ["还没有 CPE", "No CPEs yet"],
  "cug.removeTitle": ["删除用户组 {name}？", "Delete group {name}?"],
  "cug.removeBody": [
    "组内 CPE 保留。不再属于任何用户组的 CPE 与空间内所有未入组站点互通。",
    "Its CPEs are kept. One that is in no other group is reached by every site of its space that is in none.",
  ],
});
