/** What we do not say, and what we say instead. */

import { nameWords } from "./word-list-names.ts";
import { named, phrase, type Word } from "./word-list-patterns.ts";

const plain = "plain technical English";

export const wordList: readonly Word[] = [
  {
    word: "box",
    pattern: named("box", "boxes"),
    use: "device; edge or node in code",
    reason: "a box is anything; the field says device",
    allowed: [
      {
        line: /box-\$\{|"box"/,
        reason: "names of data folders of simulated devices, which demonstrations keep",
      },
      {
        line: /box-(?:shadow|sizing)|boxShadow|viewBox|boundingBox|[Cc]heckbox|[Oo]utbox|[Ll]istbox|[Mm]ailbox|tab-box|\bbox\.(?:x|y|width|height|left|right|top|bottom|inert|click|closest)|const box\b|\.\.\.box\b|!box\b|box\?\.|\(box:|pictureBox|brandBoxes|in (?:its box|the box of its kind)/,
        reason: "boxes of style sheets, pages and controls",
      },
      { line: /TeraBox/, reason: "name of a product" },
    ],
  },
  {
    word: "letter",
    pattern: named("letter", "letters"),
    use: "email, message; character (of a text)",
    reason: "a message of the outbox is no letter",
    allowed: [
      {
        line: /first-letter|Letter": String/,
        reason: "a selector of style sheets; the header of mails that were sent",
      },
      {
        line: /digit|character|alphabet|Latin|script|capital|case|Shift|press|leader|password|keys?\b|locale|screen|`g`|\bg\b|Chinese|trigram|kilobyte|form/i,
        reason: "letters of an alphabet and keys of a keyboard",
      },
    ],
  },
  {
    word: "figures",
    pattern: named("figures", "figure"),
    use: "metrics, value, number",
    reason: "measured values are metrics",
  },
  {
    word: "told",
    pattern: phrase("(?:told|tells?|telling|retell)(?! to)"),
    use: "notify, report, acknowledge, show",
    reason: "programs report and notify",
  },
  {
    word: "heard",
    pattern: phrase("heard", "hears?", "hearing", "ear", "hearer"),
    use: "received, subscriber, monitor",
    reason: "messages are received",
    allowed: [{ line: /heard\.json/, reason: "name of a file in data folders of users" }],
  },
  {
    word: "face",
    pattern: named("face", "faces"),
    use: "advertisement",
    reason: "what peers see of a node is what it advertises",
    allowed: [
      { line: /Hugging Face/, reason: "name of a company" },
      { line: /node_face/, reason: "name of a table in the first release" },
      { files: /probe\/listen\.test\.ts$/, reason: "as the kernel prints it" },
    ],
  },
  {
    word: "echo",
    pattern: phrase("echo", "echoes", "echoed"),
    use: "commit confirmation",
    reason: "a state is confirmed",
    allowed: [
      {
        line: /^\s*echo |ICMP [Ee]cho|\becho (?:bye|ready|"\$)|\/echo\b|t\.echo/,
        reason: "the shell's command, ICMP, and calls that answer what they get",
      },
    ],
  },
  {
    word: "goes back",
    pattern: phrase(
      "goes back",
      "go back",
      "went back",
      "going back",
      "gone back",
      "taken back",
      "takes? back",
      "way back",
    ),
    use: "rollback, roll back, return",
    reason: "the field's term is rollback",
  },
  {
    word: "hold back",
    pattern: phrase("held back", "holds? back", "let go", "lets go"),
    use: "pending approval, release",
    reason: "the field's terms of a change guard",
  },
  {
    word: "let in",
    pattern: phrase("let in", "lets? in", "letting in"),
    use: "admit, authorize, connect",
    reason: "clients are admitted",
  },
  {
    word: "shut out",
    pattern: phrase("shut out", "shuts? out", "the door", "turned away", "turns? away"),
    use: "lock out, block, revoke, reject, disconnect",
    reason: "access is locked, revoked or rejected",
  },
  {
    word: "claim code",
    pattern: phrase("claim codes?"),
    use: "activation code",
    reason: "the term of zero-touch provisioning",
  },
  {
    word: "issue",
    pattern: phrase("issued", "issues a template", "issue a template"),
    use: "publish, published",
    reason: "templates are published",
  },
  {
    word: "deal",
    pattern: phrase("deals?", "deal records?"),
    use: "transaction",
    reason: "postings are transactions",
    allowed: [
      {
        line: /"deal"|dealmanage|^\s*deal[,:]/,
        reason: "the path and the icon of the specification",
      },
    ],
  },
  {
    word: "screen",
    pattern: phrase("large screen", "large screens", "big screen"),
    use: "wallboard",
    reason: "the field's term",
    allowed: [{ line: /"Large screen"/, reason: "label of the specification" }],
  },
  {
    word: "log-in",
    pattern: phrase("log-ins?", "log-outs?", "logs? in\\b.{0,3}(?:is|are)"),
    use: "login, sign-in",
    reason: "login is the noun",
  },
  {
    word: "second factor",
    pattern: phrase("second factors?", "factorless"),
    use: "MFA, MFA method",
    reason: "the field's term",
    allowed: [{ files: /docs\/glossary/, reason: "the glossary explains MFA by it" }],
  },
  { word: "for good", pattern: phrase("for good"), use: "permanently", reason: plain },
  {
    word: "at once",
    pattern: phrase("at once"),
    use: "immediately; at the same time",
    reason: plain,
    allowed: [
      {
        line: /(?:many|two|several|more|all|processes|thousand|hundred|eight|\w+s|turn|come|try|start|gone|add|them|take|act|connect|made|written|opened|pass|noted|read|back|go|form|removed|added|twice|everything|number|devices) at once|at once twice/i,
        reason: "several things at the same time",
      },
    ],
  },
  {
    word: "most",
    pattern: /\b(?:(?:most|least|longest)[A-Z]|(?:MOST|LEAST|LONGEST)_)/,
    use: "max, min, maxLength, in names",
    reason: "limits are maxima and minima",
  },
  {
    word: "usual",
    pattern: named("usual"),
    use: "default, typical, normal",
    reason: "what applies when nothing is set is the default",
  },
  { word: "begun", pattern: phrase("begun", "unbegun"), use: "started", reason: plain },
  {
    word: "begin",
    pattern: /\bbegin(?:[A-Z]\w*|\??:|\()/,
    use: "start, in names",
    reason: "one word for one thing: work is started",
    allowed: [
      { files: /db\/pool\.ts$/, reason: "the statement of SQL, and a method of the query builder" },
    ],
  },
  {
    word: "drawn",
    pattern: phrase(
      "drawn anew",
      "(?:is|are|be) drawn",
      "redrawn",
      "draws anew",
      "while drawing",
      "every drawing",
      "never drawn",
    ),
    use: "render, rendered",
    reason: "components are rendered",
  },
  { word: "anew", pattern: phrase("anew", "afresh"), use: "again, new", reason: plain },
  {
    word: "wears",
    pattern: phrase("wears?", "worn", "wear[A-Z]\\w*"),
    use: "apply, show",
    reason: plain,
  },
  {
    word: "sign",
    pattern: phrase("signs", "each sign", "every sign"),
    use: "character; icon",
    reason: "a character of a text, an icon of a page",
    allowed: [
      { line: /passkey signs|then signs|signs with|Signs as/, reason: "signatures" },
      { files: /rules\/weak-password/, reason: "punctuation in passwords" },
    ],
  },
  {
    word: "word",
    pattern: phrase("word", "words"),
    use: "key, label, token, value, term",
    reason: "says what it is",
    allowed: [{ files: /weak-password|data-sources\.md$/, reason: "a list of words of languages" }],
  },
  {
    word: "holder",
    pattern: named("holder", "holders"),
    use: "owner, parent",
    reason: "what a row belongs to is its owner",
  },
  {
    word: "chosen",
    pattern: phrase("chosen"),
    use: "selected, members",
    reason: "the field's terms",
    allowed: [{ line: /Chosen POP strategy/, reason: "label of the specification" }],
  },
  {
    word: "take in",
    pattern: phrase("takes? in", "taken in", "taking in"),
    use: "import, include",
    reason: plain,
  },
  {
    word: "stands",
    pattern: phrase("(?:stands?|stood|standing)(?! (?:for|still|in for|up|by))"),
    use: "is, lies, is listed, contains",
    reason: plain,
    allowed: [{ line: /standing/, reason: "the field of a link on the wire: its tunnel exists" }],
  },
  {
    word: "turned",
    pattern: named("turned", "turning", "turnings"),
    use: "state change, transition; switch",
    reason: "the field's terms",
    allowed: [{ line: /turned off/, reason: "what can be switched off" }],
  },
  {
    word: "trial",
    pattern: phrase("trials?"),
    use: "test harness, attempt",
    reason: "the field's term",
    allowed: [
      {
        line: /formal, 1 trial|"Trial"/,
        reason: "label of the specification: an enterprise on trial",
      },
    ],
  },
  {
    word: "befalls",
    pattern: phrase("befalls?", "befell", "mishaps?"),
    use: "fault",
    reason: "the field's term",
  },
  {
    word: "goes round",
    pattern: phrase("goes? round", "went round"),
    use: "round-trips, is passed on",
    reason: "the field's term",
  },
  {
    word: "whoever",
    pattern: phrase("whoever"),
    use: "the caller, anyone who, no matter who",
    reason: plain,
  },
  {
    word: "nobody",
    pattern: phrase("nobody"),
    use: "no one, no caller, no user",
    reason: plain,
    allowed: [
      { files: /db\/embedded\//, reason: "the Unix user nobody" },
      {
        line: /["'`]nobody|nobody["'`@]|NOBODY/,
        reason: "names that no account has, as tests try them",
      },
    ],
  },
  {
    word: "somebody",
    pattern: phrase("somebody", "everybody"),
    use: "someone, a user, an operator, everyone, all",
    reason: plain,
  },
  { word: "dear", pattern: phrase("dear", "dearer", "dearest"), use: "expensive", reason: plain },
  {
    word: "per second",
    pattern: phrase(
      "(?:\\w+s|[\\d,]+) a second(?! \\w)",
      "[\\d,]+ an? (?:minute|hour|day)",
      "rows a page",
    ),
    use: "per second, per page",
    reason: "rates are per unit",
  },
  {
    word: "thereof",
    pattern: phrase(
      "thereof",
      "therein",
      "thereby",
      "whence",
      "lest",
      "parted by",
      "without a word",
    ),
    use: "plain words",
    reason: plain,
  },
  {
    word: "spoken",
    pattern: named("spoken"),
    use: "localize, text",
    reason: "texts are localized",
  },
  {
    word: "keeper",
    pattern: named("keeper"),
    use: "reconciler",
    reason: "the field's term for the loop from observed to desired state",
  },
  { word: "poisoned", pattern: phrase("poisoned"), use: "forbidden", reason: plain },
  {
    word: "papers",
    pattern: phrase("papers", "hands? in", "handed in"),
    use: "documents, submit, pass",
    reason: "the terms of a review",
  },
  {
    word: "judged",
    pattern: phrase("judged", "judges?"),
    use: "reviewed, evaluated",
    reason: "the terms of a review",
  },
  ...nameWords,
];
