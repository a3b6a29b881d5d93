import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Versions of a template. */
export const versionMessages = defineMessages({
  "version.open": ["版本", "Versions"],
  "version.title": ["模板“{name}”的版本", "Versions of template “{name}”"],
  "version.help": [
    "每次发布把草稿冻结为一个版本。可以比较任意两个版本，恢复为草稿后继续修改，或直接再次发布。",
    "Publishing freezes the draft as a version. Compare any two of them, restore one to the draft, or publish it again.",
  ],
  "version.empty": ["从未发布，没有版本", "Never published: there are no versions yet"],
  "version.number": ["版本", "Version"],
  "version.name": ["版本 {version}", "Version {version}"],
  "version.draft": ["草稿", "Draft"],
  "version.published": ["发布时间", "Published"],
  "version.contents": ["内容", "Contents"],
  "version.objects": ["{count} 个对象", "{count|object|objects}"],
  "version.sameAs": ["与版本 {version} 相同", "same as version {version}"],
  "version.effect": ["生效 CPE", "Acts on"],
  "version.acts": ["{acts} / {cpes}", "{acts} of {cpes}"],
  "version.noCpe": ["没有 CPE 跟随此版本", "No CPE follows this version"],
  "version.inWaves": ["分批下发中", "rollout in progress"],
  "version.rolledBack": ["已回滚", "rolled back"],
  "version.compare": ["比较", "Compare"],
  "version.restoreRow": ["恢复", "Restore"],
  "version.restore": ["恢复为草稿", "Restore to draft"],
  "version.issue": ["再次发布", "Publish again"],
  "version.back": ["返回版本列表", "Back to versions"],
  "version.from": ["从", "From"],
  "version.to": ["到", "To"],
  "version.swap": ["互换", "Swap"],
  "version.same": ["两者内容相同", "Both hold the same"],
  "version.nothingToRestore": [
    "草稿与版本 {version} 相同，无需恢复",
    "The draft holds the same as version {version}",
  ],
  "version.restoreTitle": [
    "将草稿恢复为版本 {version}？",
    "Restore version {version} to the draft?",
  ],
  "version.restoreBody": [
    "下列 {count} 处变更将写入草稿，草稿中尚未发布的修改会丢失。CPE 不受影响，发布后才生效。",
    "The draft changes in {count|place|places} as below; what was changed in it and not published is lost. CPEs stay as they are until the next version is published.",
  ],
  "version.restored": ["草稿已恢复为版本 {version}", "The draft holds version {version} again"],
  "version.issueTitle": [
    "再次发布模板“{name}”的版本 {version}？",
    "Publish version {version} of template “{name}” again?",
  ],
  "version.issueBody": [
    "版本 {version} 的内容作为新版本发布，并下发到模板的 CPE；草稿保持不变。",
    "The contents of version {version} are published as a new version and sent to the CPEs of the template; the draft does not change.",
  ],
});
