import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of taking rows in from a file. */
export const importMessages = defineMessages({
  "import.ownPassword": [
    "您自己的登录密码（导入登录权限时验证）",
    "Your own password, because these rows decide who logs in",
  ],
  "import.title": ["导入{what}", "Import: {what}"],
  "import.choose": ["选择文件", "Choose a file"],
  "import.other": ["更换文件", "Choose another file"],
  "import.hint": [
    "可直接导入导出的文件（xlsx 或 CSV），列的顺序不限，中英文列名均可。最多 {most} 行，1 MB。导入不会删除数据。",
    "Takes an exported file (xlsx or CSV) as it is, with its columns in any order and in either language. At most {most} rows, 1 MB. An import never deletes rows.",
  ],
  "import.target": ["未写明企业的行导入到", "Rows without an enterprise go to"],
  "import.mode": ["已有数据", "Rows that exist"],
  "import.mode.add": ["保持不变", "Stay as they are"],
  "import.mode.change": ["按文件修改", "Are changed as in the file"],
  "import.counts": [
    "{name}：新增 {new}，修改 {changed}，未变化 {unchanged}，保持原样 {kept}，有误 {bad}",
    "{name}: {new} new, {changed} changed, {unchanged} unchanged, {kept} left as they are, {bad} wrong",
  ],
  "import.into": ["写入：{targets}", "Written to: {targets}"],
  "import.intoOwner": ["写入：{owner}（{targets}）", "Written to: {owner} ({targets})"],
  "import.targetRows": ["{name} {rows} 行", "{name}, {rows|row|rows}"],
  "import.unknown": [
    "没有这些列，不会读取：{columns}",
    "There are no such columns, they are not read: {columns}",
  ],
  "import.unread": ["只读列，导入时忽略：{columns}", "Read-only, ignored: {columns}"],
  "import.keptHint": [
    "{count} 行已存在且与文件不同。要修改它们，请选择“按文件修改”。",
    "{count|row exists and differs|rows exist and differ} from the file. To change them, choose “Are changed as in the file”.",
  ],
  "import.badHint": [
    "有误的行不会写入。改正文件后重新选择，或下载有误的行单独改正。",
    "Wrong rows are not written. Correct the file and choose it again, or download the wrong rows and correct those.",
  ],
  "import.saveBad": ["下载有误的行", "Download the wrong rows"],
  "import.skipBad": [
    "跳过有误的 {bad} 行，写入其余的行",
    "Leave out the {bad} wrong and write the others",
  ],
  "import.run": ["导入 {count} 行", "Import {count|row|rows}"],
  "import.none": ["没有要写入的行", "Nothing to write"],
  "import.done": [
    "已新增 {new} 行，修改 {changed} 行",
    "{new|row|rows} added, {changed|row|rows} changed",
  ],
  "import.wrong": ["有误之处", "Error"],
  "import.row": ["行", "Row"],
  "import.column": ["列", "Column"],
  "import.value": ["值", "Value"],
  "import.rule": ["规则", "Rule"],
  "import.old": ["现值", "Now"],
  "import.new": ["改为", "Becomes"],
  "import.wholeRow": ["整行", "The row"],
  "import.badCells": ["有误的单元格", "Wrong cells"],
  "import.changes": ["将修改的值", "Values that change"],
  "import.more": ["另有 {count} 项未列出", "{count} more are not listed"],
});
