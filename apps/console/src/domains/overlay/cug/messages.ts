import { defineMessages } from "@weft/contract/kernel/message.ts";

export const cugMessages = defineMessages({
  "cug.title": ["CUG 管理", "CUG"],
  "cug.add": ["新增用户组", "Add group"],
  "cug.edit": ["编辑用户组 {name}", "Edit group {name}"],
  "cug.empty": [
    "还没有封闭用户组。新增后选择组内的 CPE 和共享带宽",
    "No closed user groups yet. A group consists of CPEs and the bandwidth that they share",
  ],
  "cug.bandwidth": ["共享带宽 Mbit/s", "Shared Mbit/s"],
  "cug.bandwidthHelp": [
    "组内 CPE 共享，不低于 0.064",
    "Shared by the CPEs of the group, 0.064 or more",
  ],
  "cug.noCpe": ["还没有 CPE", "No CPEs yet"],
  "cug.removeTitle": ["移除用户组 {name}？", "Remove group {name}?"],
  "cug.removeBody": [
    "组内 CPE 保留，不再属于这个组。",
    "Its CPEs are kept; they are no longer in this group.",
  ],
});
