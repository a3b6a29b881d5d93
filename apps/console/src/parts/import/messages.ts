import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of taking rows in from a file. */
export const importMessages = defineMessages({
  "import.choose": ["选择文件", "Choose a file"],
  "import.other": ["换一个文件", "Choose another file"],
  "import.hint": [
    "xlsx 或 CSV，第一行为列名：{columns}。最多 {most} 行，1 MB。",
    "xlsx or CSV with the columns' names in the first row: {columns}. At most {most} rows, 1 MB.",
  ],
  "import.sample": ["下载空白表", "Download an empty table"],
  "import.good": [
    "{name}：{count} 行，全部可以导入",
    "{name}: {count|row|rows}, all can be imported",
  ],
  "import.bad": [
    "{name}：{count} 行，其中 {bad} 行有误；改正文件后重新选择，现在不会写入任何数据",
    "{name}: {count|row|rows}, {bad} of them invalid; correct the file and select it again. Nothing is written until then.",
  ],
  "import.run": ["导入 {count} 行", "Import {count|row|rows}"],
  "import.done": ["已导入 {count} 行", "{count|row|rows} imported"],
  "import.row": ["行", "Row"],
  "import.wrong": ["有误之处", "Error"],
  "import.fine": ["可导入", "Valid"],
});
