/**
 * Passwords that guessing tries first (NIST SP 800-63B section 3.1.1.2 asks for such a list). The
 * list is made by rule out of few words: as they are and reversed, with letters written as digits,
 * with up to five digits or signs around them, repeated; runs of neighbours; dates; phone numbers.
 */

const words = (
  "abc admin administrator adminadmin alex amanda andrew angel anna apple asdf ashley " +
  "baby baidu bailey baseball batman beijing biteme blink boss bubbles buster charlie cheese china " +
  "chelsea cisco computer cookie daniel default demo diamond dragon eagle enterprise ferrari " +
  "football freedom friend fuck ginger god google guest guangzhou hallo hannah happy hello hockey " +
  "home huawei hunter iloveyou internet jack jennifer jessica jesus jordan joshua justin killer " +
  "king letmein liverpool login lovely love loveyou maggie manager manchester master matrix matt " +
  "matthew maverick merlin michael michelle mima monkey money mustang network nicole ninja nihao " +
  "nopass office operator orange pass passwd passwort password peanut pepper pokemon princess " +
  "private public purple qazwsx qwer qwert qwerty qweasd ranger root router samsung scooter secret " +
  "security server service shadow shanghai shenzhen soccer starwars sdwan silver summer sunshine " +
  "super superman support switch sysadmin system taobao target temp tencent test tester thomas " +
  "thunder tigger tplink trust trustno user victoria wang weft weixin welcome whatever william " +
  "winter woaini wodemima wireless xiaomi yankees zaq zxcv zxcvbn zhang spring autumn company " +
  "changeme monday friday january november december"
).split(" ");
const known = new Set(words);

/** Rows of the keyboard, and what fingers draw down its columns. */
const keyRuns = [
  "1234567890",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "qazwsxedcrfvtgbyhnujm",
  "1q2w3e4r5t6y7u8i9o0p",
  "a1s2d3f4g5",
  "q1w2e3r4t5y6",
  "qweasdzxc",
  "147258369",
  "159357",
  "!@#$%^&*()",
];
const longKeyRuns = keyRuns.flatMap((run) => [run, reversed(run)]);

const written: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i",
};

function reversed(text: string): string {
  return [...text].reverse().join("");
}

const unwritten = (text: string): string => [...text].map((sign) => written[sign] ?? sign).join("");

/** Digits and signs beside a word: a sign and a year make it no secret. */
const maxAround = 5;
const around = new RegExp(`^[^a-z]{0,${maxAround}}([a-z]+)[^a-z]{0,${maxAround}}$`, "u");
const coreOf = (text: string): string => around.exec(text)?.[1] ?? "";

const isToken = (text: string): boolean =>
  [text, reversed(text), unwritten(text), coreOf(text), coreOf(unwritten(text))].some((form) =>
    known.has(form),
  ) || [...cores(text)].some((core) => known.has(unwritten(core)));

const hasNoLetter = (text: string): boolean => !/[a-z]/u.test(text);

/** The word may begin or end with a letter that is written as a digit: p4ssw0rd12, 5unshine!. */
function* cores(text: string): Generator<string> {
  for (let cut = 0; cut <= maxAround; cut++) {
    const end = text.length - cut;
    if (hasNoLetter(text.slice(end))) yield text.slice(0, end);
    if (hasNoLetter(text.slice(0, cut))) yield text.slice(cut);
  }
}

/** Every sign is the one before it, or its neighbour in the alphabet, all in one direction. */
const isRun = (text: string): boolean =>
  [-1, 0, 1].some((step) =>
    [...text].every((sign, at, all) => {
      const before = all[at - 1];
      return (
        before === undefined || (sign.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0) === step
      );
    }),
  );

const isKeyRun = (text: string): boolean => longKeyRuns.some((run) => run.includes(text));

/** One piece again and again: abab, 123123, passpass. */
const isRepeated = (text: string): boolean => /^(.{1,32}?)\1+$/u.test(text);

const isDate = (text: string): boolean =>
  /^(?:19|20)?\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(text) ||
  /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d{2}$/.test(text);

const isPhone = (text: string): boolean => /^1\d{10}$/.test(text);

/** Pieces that are easy to guess: a run of neighbouring keys, and what surrounds it. */
const isPattern = (text: string): boolean => {
  const core = text.replace(/^[^a-z0-9]+|[^a-z0-9]+$/gu, "");
  return [text, core].some(
    (candidate) =>
      candidate.length > 2 &&
      (isRun(candidate) ||
        isKeyRun(candidate) ||
        isRepeated(candidate) ||
        isDate(candidate) ||
        isPhone(candidate)),
  );
};

/** Parts of the person's own names and numbers that are long enough to be found by. */
const minOwnLength = 4;

/**
 * True: guessing tries it early.
 * @param ownWords what others know of the person: login name, name, phone number.
 */
export function isWeakPassword(password: string, ownWords: readonly string[] = []): boolean {
  const text = password.toLowerCase();
  if (isToken(text) || isPattern(text)) return true;
  const parts = ownWords.flatMap((word) => word.toLowerCase().split(/[@\s]+/u));
  return parts.some((part) => {
    if (part.length < minOwnLength) return part !== "" && coreOf(text) === part;
    const rest = text.length - part.length;
    return rest <= maxAround && (text.includes(part) || text.includes(reversed(part)));
  });
}

/** What isWeakPassword finds, as far as it can be listed: words with numbers and years behind. */
export function* commonPasswords(): Generator<string> {
  const ends = ["", "!", "123", "1234", "@123", "666", "888", "520", "1314"];
  for (let number = 0; number < 100; number++) ends.push(String(number));
  for (let year = 1970; year <= 2030; year++) ends.push(String(year));
  for (const word of words) for (const end of ends) yield `${word}${end}`;
}
