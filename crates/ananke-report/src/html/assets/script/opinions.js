// What judges said: every answer with its reason.

const verdictOf = (passed) => (passed === null ? ["i", "no verdict"] : passed ? ["p", "accepted"] : ["f", "refused"]);

const samplesList = (samples) => samples && h("ol", { class: "samples" }, samples.map(([passed, reason, us]) => {
  const [status, words] = verdictOf(passed);
  return h("li", { class: `sample s-${status}` }, icon(status), h("b", {}, words), h("span", { class: "foreign" }, reason), h("span", { class: "soft" }, time(us)));
}));

const opinionElement = (opinion) => h("div", { class: "opinion" },
  h("p", {}, h("b", { class: "mono foreign" }, word(opinion.a)), ` ${opinion.m}`, opinion.c && h("span", { class: "soft foreign" }, ` · ${opinion.c}`)), samplesList(opinion.p));

const opinionsSection = (turn) => turn.op && section("Judges", null, turn.op.map(opinionElement), leftOut(turn, "op"));

// What a simulator thought when it wrote the message above.
const thoughtOf = (simulated) => simulated && (simulated.g || simulated.r) && h("p", { class: "thought" },
  simulated.g && h("b", {}, "goal achieved "), simulated.r && h("span", { class: "foreign" }, simulated.r));
