import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sayer } from "./matcher";
import zh from "./zh";

const say = sayer(
  {
    "There is no tool {0}.": "没有工具 {0}。",
    "there is no node {0}": "没有步骤 {0}",
    "the tool {0} failed: {1}{2}": "工具 {0} 失败：{1!}",
    "step {0}: ": "步骤 {0}：",
    "{0} must be {1}, but this is {2}.{3}": "{0!}必须是{1!}，但这里是{2!}。{3!}",
    " Put it in quotes.": "请加上引号。",
    "a text": "文本",
    "the number {0}": "数字 {0}",
    "an edge from {0} leads to {1}, which is no node": "从 {0} 出发的连线通向 {1}，它不是步骤",
    "one of {0}": "{0} 之一",
    "It broke.": "出错了。",
  },
  { tool: "工具" },
);

describe("a sentence of the server's", () => {
  it("is said with what stood in its holes", () => {
    expect(say("There is no tool orders.")).toBe("没有工具 orders。");
    expect(say("an edge from 'a' leads to 'it, which is', which is no node")).toBe(
      "从 'a' 出发的连线通向 'it, which is'，它不是步骤",
    );
    expect(say("an edge from 'to leads to 'b', which is no node")).toBe("从 'to 出发的连线通向 'b'，它不是步骤");
  });

  it("is said with its parts", () => {
    expect(say("`url` must be a text, but this is the number `3`. Put it in quotes.")).toBe(
      "`url` 必须是文本，但这里是数字 `3`。请加上引号。",
    );
    expect(say("the tool orders failed: step 2: It broke.")).toBe("工具 orders 失败：步骤 2：出错了。");
    expect(say("the tool orders failed: their server's own words")).toBe("工具 orders 失败：their server's own words");
  });

  it("is taken apart where several were put together", () => {
    expect(say("nodes.a.call: there is no node 'b'")).toBe("nodes.a.call：没有步骤 'b'");
    expect(say("ask: settings.x: there is no node 'b'.")).toBe("ask：settings.x：没有步骤 'b'。");
    expect(say("There is no tool a. There is no tool b.")).toBe("没有工具 a。没有工具 b。");
    expect(say("x: there is no node 'a'; y: there is no node 'b'.")).toBe("x：没有步骤 'a'；y：没有步骤 'b'。");
    expect(say("It broke.\nThere is no tool a.")).toBe("出错了。\n没有工具 a。");
  });

  it("stays as it is when it, or a part of it, is not known", () => {
    for (const text of ["", "Hello there.", "There is no tool a. Ask Ada.", "tool", "one of these days", "x: y", "; "])
      expect(say(text)).toBe(text);
  });

  it("stays text, whatever stands in it", () => {
    const nasty = "<img src=x onerror=alert(1)>{0}{1!}$&$1";
    expect(say(`There is no tool ${nasty}.`)).toBe(`没有工具 ${nasty}。`);
    expect(say(nasty)).toBe(nasty);
  });
});

const FOLDER = join(import.meta.dirname, "zh");
const entries = readdirSync(FOLDER)
  .filter((file) => file !== "words.json")
  .flatMap((file) => Object.entries(JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Record<string, string>))
  .filter(([english]) => english.replace(/\{\d+\}|[^A-Za-z]/g, "").length > 5);

describe("the Chinese catalogue", () => {
  it("takes no sentence for another", () => {
    const values = (text: string) =>
      text
        .replace(/([\u4e00-\u9fff])(?=\{)|(?<=\})(?=[\u4e00-\u9fff])/g, "$1 ")
        .replace(/\{(\d+)!?\}(?:\{\d+\})*/g, "'v$1'");
    for (const [english, chinese] of entries) expect(zh(values(english)), english).toBe(values(chinese));
  });

  it("says problems of documents", () => {
    expect(zh("The field `ulr` is not known here. Did you mean `url`?")).toBe("此处没有字段 `ulr`。您是指 `url` 吗？");
    expect(zh("The field `name` is missing; add it at the top of the tool.")).toBe(
      "缺少字段 `name`；请在工具的最外层添加。",
    );
    expect(zh("`timeout` must be a whole number, but this is the text `soon`.")).toBe(
      "`timeout` 必须是整数，但这里是文本 `soon`。",
    );
    expect(zh("there is no state variable 'total'; there are count, orders")).toBe(
      "没有状态变量 'total'；现有：count, orders",
    );
    expect(zh("'b' is no node")).toBe("'b' 不是步骤");
    expect(zh("a whole number above 0 is wanted, not -1")).toBe("应为大于 0 的整数，而不是 -1");
    expect(zh("a number above 0 is wanted, not -1")).toBe("应为大于 0 的数，而不是 -1");
    expect(
      zh("The text has problems: line 1, column 1: 'b' is no node; line 2, column 3: 'c' is no node; and 4 more."),
    ).toBe("文本有问题：第 1 行第 1 列：'b' 不是步骤；第 2 行第 3 列：'c' 不是步骤；另有 4 个。");
    expect(
      zh(
        "The text has problems: line 1, column 1: The field `desc` is missing; add it at the top of the tool; " +
          "line 2, column 7: `name` must be a text, but this is the number `12`. Put it in quotes; " +
          "line 3, column 1: The field `colour` is not known here. Known fields are `name`, `desc`.",
      ),
    ).toBe(
      "文本有问题：第 1 行第 1 列：缺少字段 `desc`；请在工具的最外层添加；" +
        "第 2 行第 7 列：`name` 必须是文本，但这里是数字 `12`。请加上引号；" +
        "第 3 行第 1 列：此处没有字段 `colour`。可用的字段有：`name`, `desc`。",
    );
  });

  it("says what is wrong with a graph that can't be run, a line for each", () => {
    expect(zh("the graph cannot be built:\n- nodes.a: 'b' is no node\n- entry: the entry is missing")).toBe(
      "无法建立此流程图：\n- nodes.a：'b' 不是步骤\n- entry：缺少起点",
    );
    expect(zh("the graph document has problems:\n- edges.0: the source is missing")).toBe(
      "流程图文档有问题：\n- edges.0：缺少 source",
    );
    expect(zh("the graph document has problems:\n- line 2: nodes: a graph needs a map of nodes")).toBe(
      "流程图文档有问题：\n- 第 2 行：nodes：流程图需要步骤的映射",
    );
  });

  it("says errors of runs", () => {
    expect(zh("look: the tool orders failed: step 0: 127.0.0.1:9 did not answer in time.")).toBe(
      "look：工具 orders 失败：步骤 0：127.0.0.1:9 没有及时响应。",
    );
    expect(
      zh(
        "look: outputs.total (Into the state) asks for 'nothing', but the output of look has no 'nothing'; it has text.",
      ),
    ).toBe("look：outputs.total（写入状态）要取 'nothing'，但 look 的输出中没有 'nothing'；其中有 text。");
  });

  it("says the lines that it knows of a list, and leaves the others", () => {
    expect(zh("the graph cannot be built:\n- nodes.a: 'b' is no node\n- somebody's own words")).toBe(
      "无法建立此流程图：\n- nodes.a：'b' 不是步骤\n- somebody's own words",
    );
    expect(zh("This entry must be a text, but this is `true`. Put it in quotes.")).toBe(
      "此项必须是文本，但这里是 `true`。请加上引号。",
    );
  });

  it("says them beside the step that they are about", () => {
    expect(zh("outputs.total (Into the state) asks for 'a', but the output of look has no 'a'; it is null.")).toBe(
      "outputs.total（写入状态）要取 'a'，但 look 的输出中没有 'a'；它是 null。",
    );
    expect(zh("the answer must be one of yes, no.")).toBe("回答必须是 yes, no 之一。");
    expect(
      zh(
        "The run stays as it is, since this can't be done: The graph desk was deleted; revision 1, by which this run " +
          "goes, is no more. The run can be looked at and stopped. To go on, start a new one.",
      ),
    ).toMatch(/^运行保持原样，因为无法执行此操作：流程图 desk 已被删除，/);
    expect(zh("ask: the answer must be true or false.")).toBe("ask：回答必须是 true 或 false。");
    expect(zh("node 'look': channel 'total': a number is wanted, but an empty text came")).toBe(
      "步骤 'look'：变量 'total'：应为数字，而得到的是空文本",
    );
  });

  it("says refused fields", () => {
    expect(zh("This field is required.")).toBe("必须填写。");
    expect(zh("name: At most 64 characters are allowed.")).toBe("name：最多 64 个字符。");
    expect(zh("This must be 'viewer', 'operator' or 'admin'.")).toBe("这里应为 'viewer', 'operator' 或 'admin'。");
    expect(
      zh(
        "A secret needs at least 4 characters, since a shorter one can't be masked in what runs show: it would turn up " +
          "all over ordinary text. Take a longer value, or make it a variable if runs may show it.",
      ),
    ).toMatch(/^机密至少需要 4 个字符：.*无法在运行记录中遮盖。/);
  });

  it("says lists of any length, and does not ponder over what only looks like one", () => {
    const list = Array.from({ length: 40 }, (_, n) => `- nodes.n${n}: 'gone' is no node`).join("\n");
    expect(zh(`the graph cannot be built:\n${list}`)).not.toMatch(/is no node|cannot/);
    const began = performance.now();
    for (const bit of [
      "a; ",
      "There is no tool a. ",
      "x: ",
      "x failed: y: ",
      "'",
      "line 1, column 2: ",
      "\n",
      "Value error, ",
    ]) {
      const text = `${bit.repeat(4_000 / bit.length)}Hello`;
      expect(zh(text)).toContain("Hello");
      expect(zh(text.repeat(50))).toContain("Hello");
    }
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it("says a thousand problems at once", () => {
    const texts = Array.from({ length: 1_000 }, (_, n) =>
      n % 2 ? `nodes.n${n}: 'gone${n}' is no node` : `Nothing of ours ${n}: said somebody; and ${n} words. So.`,
    );
    zh("warm"); // the catalogue is read once
    const began = performance.now();
    texts.forEach((text) => zh(text));
    expect(performance.now() - began).toBeLessThan(500);
  });
});
