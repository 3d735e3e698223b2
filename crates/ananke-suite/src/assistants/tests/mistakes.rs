//! Mistakes in packages and prompts.

use insta::assert_snapshot;

use super::folder::{Folder, each, packages};

fn prompts(contents: &[&str]) -> String {
    each("assistants/desk/prompts.yml", contents)
}

#[test]
fn a_broken_package_is_refused_at_its_place() {
    assert_snapshot!(packages(&[
        "{\n  \"name\": \"a\"\n  \"connector\": \"local\"\n}",
        "{\"name\": \"a\", \"connector\": \"local\" /* open }",
        "[]",
        " \n",
        "{\"name\": \"a\", \"connector\": \"local\"",
    ]), @"
    assistants/desk/package.yao:3:3 error expected `,` or `}`, found text |  | put a comma between the two
    --
    assistants/desk/package.yao:1:36 error expected `,` or `}`, found `/` |  | the comment is not closed: end it with `*/`
    --
    assistants/desk/package.yao:1:1 error expected an object in braces, found `[`
    --
    assistants/desk/package.yao:2:1 error expected an object in braces, found the end of the file
    --
    assistants/desk/package.yao:1:35 error the file ends before the object is closed | the open one begins at line 1 | count its braces and brackets
    ");
}

#[test]
fn keys_of_a_package_are_checked() {
    assert_snapshot!(packages(&[
        r#"{"connector": "local"}"#,
        r#"{"name": " ", "connector": 5}"#,
        r#"{"name": "a", "connector": "local", "conector": "x", "optoins": {}, "zebra": 1}"#,
        r#"{"name": "a", "connector": "local", "disable_global_prompts": "yes"}"#,
        r#"{"name": "a", "connector": "local", "options": {"temprature": 1, "model": "m"}}"#,
        r#"{"name": "a", "connector": "local", "options": {"temperature": "0", "n": 1.5, "stop": 1, "logit_bias": [], "user": 7}}"#,
        r#"{"name": "a", "connector": "local", "options": {"max_tokens": 1, "max_completion_tokens": 2}}"#,
        r#"{"name": "a", "connector": "local", "options": 3}"#,
        r#"{"name": "a", "connector": "local", "options": null, "mcp": null, "type": "", "description": null}"#,
    ]), @r#"
    assistants/desk/package.yao:1:1 error `name` is missing in `package.yao` |  | write `"name": "Refund"`
    --
    assistants/desk/package.yao:1:10 error `name` is empty
    assistants/desk/package.yao:1:28 error `connector` is the number `5`, expected text
    --
    assistants/desk/package.yao:1:37 warning unknown key `conector` in `package.yao`: it has no effect |  | did you mean `connector`?
    assistants/desk/package.yao:1:54 warning unknown key `optoins` in `package.yao`: it has no effect |  | did you mean `options`?
    assistants/desk/package.yao:1:69 warning unknown key `zebra` in `package.yao`: it has no effect
    --
    assistants/desk/package.yao:1:63 error `disable_global_prompts` is text, expected `true` or `false`
    --
    assistants/desk/package.yao:1:49 warning unknown key `temprature` in `options`: it has no effect |  | did you mean `temperature`?
    assistants/desk/package.yao:1:66 warning unknown key `model` in `options`: it has no effect
    --
    assistants/desk/package.yao:1:64 error the option `temperature` is text, expected a number
    assistants/desk/package.yao:1:74 error the option `n` is the number `1.5`, expected a whole number
    assistants/desk/package.yao:1:87 error the option `stop` is the number `1`, expected text or a list of texts
    assistants/desk/package.yao:1:104 error the option `logit_bias` is a list, expected a map
    assistants/desk/package.yao:1:116 error the option `user` is the number `7`, expected text
    --
    assistants/desk/package.yao:1:49 error `max_tokens` and `max_completion_tokens` are the same limit |  | leave one of them out
    --
    assistants/desk/package.yao:1:48 error `options` is the number `3`, expected a map
    --
    fine
    "#);
}

#[test]
fn an_assistant_with_nothing_to_send_is_refused() {
    assert_snapshot!(Folder::new(&[("assistants/desk/prompts.yml", "")]).problems(), @"assistants/desk/package.yao:1:1 error the assistant has neither prompts nor tools: nothing would be sent |  | write `prompts.yml` beside `package.yao`: a list of `role` and `content`");
    let global = [
        ("assistants/desk/prompts.yml", ""),
        ("agent/prompts.yml", "- {role: system, content: a}"),
    ];
    assert_snapshot!(Folder::new(&global).problems(), @"assistants/desk/package.yao:1:1 error the assistant has neither prompts nor tools: nothing would be sent |  | write `prompts.yml` beside `package.yao`: a list of `role` and `content`");
}

#[test]
fn prompts_are_checked() {
    assert_snapshot!(prompts(&[
        "[]",
        "# nothing\n",
        "role: system\n",
        "- role: system\n",
        "- content: a\n",
        "- role: sistem\n  content: a\n",
        "- role: tool\n  content: a\n",
        "- {role: system, content: '', name: 5}\n",
        "- {role: system, content: [a]}\n",
        "- role: system\n  content: a\n  contnt: b\n",
        "- just text\n",
        "- role: system\n content: a\n",
        "- role: system\n  content: [\n",
    ]), @"
    assistants/desk/prompts.yml:1:1 error the file holds no prompts |  | write `- {role: system, content: You help with …}`
    --
    assistants/desk/prompts.yml:1:1 error the file is empty
    --
    assistants/desk/prompts.yml:1:1 error a file of prompts is a map, expected a list
    --
    assistants/desk/prompts.yml:1:3 error `content` is missing in a prompt |  | write `- {role: system, content: You help with …}`
    --
    assistants/desk/prompts.yml:1:3 error `role` is missing in a prompt |  | write `- {role: system, content: You help with …}`
    --
    assistants/desk/prompts.yml:1:9 error unknown role `sistem` |  | did you mean `system`?
    --
    assistants/desk/prompts.yml:1:9 error unknown role `tool` |  | there are `system`, `developer`, `user`, `assistant`
    --
    assistants/desk/prompts.yml:1:27 error `content` is empty
    assistants/desk/prompts.yml:1:37 error `name` is the number `5`, expected text
    --
    assistants/desk/prompts.yml:1:27 error `content` is a list, expected text
    --
    assistants/desk/prompts.yml:3:3 warning unknown key `contnt` in a prompt: it has no effect |  | did you mean `content`?
    --
    assistants/desk/prompts.yml:1:3 error a prompt is text, expected a map with `role` and `content`
    --
    assistants/desk/prompts.yml:2:2 error invalid YAML: while parsing a block collection, did not find expected '-' indicator
    --
    assistants/desk/prompts.yml:2:12 error invalid YAML: unclosed bracket '['
    ");
}

#[test]
fn assets_are_there_or_an_error() {
    assert_snapshot!(prompts(&[
        "- role: system\n  content: @assets/rules.md\n",
        "- role: system\n  content: |\n    a\n    b @assets/../package.yao.md c\n",
        "- role: system\n  content: See @assets//etc/x.txt\n",
        "- role: system\n  content: \"Pictures: @assets/photo.png, @assets/\"\n",
    ]), @"
    assistants/desk/prompts.yml:2:12 error there is no file `assistants/desk/assets/rules.md` |  | assets lie in the folder `assets` beside `package.yao`
    --
    assistants/desk/prompts.yml:3:5 error `@assets/../package.yao.md` leads out of the folder `assets`
    --
    assistants/desk/prompts.yml:2:12 error `@assets//etc/x.txt` leads out of the folder `assets`
    --
    assistants/desk/prompts.yml:2:12 warning `@assets/photo.png` stays as it is | only files that end with `.md`, `.yml`, `.yaml`, `.json` or `.txt` are inlined
    ");
    let near = Folder::new(&[
        ("assistants/desk/assets/rules.md", "r"),
        (
            "assistants/desk/prompts.yml",
            "- role: system\n  content: @assets/rulse.md\n",
        ),
    ]);
    assert_snapshot!(near.problems(), @"assistants/desk/prompts.yml:2:12 error there is no file `assistants/desk/assets/rulse.md` |  | did you mean `assistants/desk/assets/rules.md`?");
}

#[test]
fn what_needs_more_than_a_model_is_refused() {
    let with = |files: &[(&str, &str)]| Folder::new(files).problems();
    assert_snapshot!(with(&[("assistants/desk/sandbox.yao", "{}")]), @"assistants/desk/sandbox.yao:1:1 error the assistant runs in a container, which ananke does not start |  | run the app, and test it as a target of `type: agui` or `type: openai`");
    assert_snapshot!(packages(&[
        r#"{"name": "a", "connector": "local", "sandbox": {"image": "x"}}"#,
        r#"{"name": "a", "connector": "local", "container": false}"#,
    ]), @"
    assistants/desk/package.yao:1:37 error the assistant runs in a container, which ananke does not start |  | run the app, and test it as a target of `type: agui` or `type: openai`
    --
    fine
    ");
}
