//! Messages and attachments of cases: what is sent for what is written.

use std::fmt::Write as _;

use ananke_model::plan::TurnAction;
use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, problems};

/// Loads a case that sends `messages`, beside some files.
fn sent(messages: &str) -> String {
    let case = format!("{{\"id\": \"a\", \"messages\": {messages}, \"expected\": \"x\"}}\n");
    let suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("tests/a.jsonl", &case),
        ("tests/fixtures/receipt.jpg", "jpg"),
        ("tests/my bill.pdf", "pdf"),
        ("tests/notes.qqq", "?"),
        ("tests/main.rs", "fn main() {}"),
    ]);
    let loaded = suite.load();
    let mut out = problems(&loaded);
    if !out.is_empty() {
        out.push('\n');
    }
    for test in &loaded.plan.tests {
        let TurnAction::Messages(messages) = &test.turns[0].action else {
            panic!("{:?}", test.turns);
        };
        for message in messages.list.value.as_array().unwrap() {
            writeln!(out, "{message}").unwrap();
        }
        for file in &messages.attachments {
            writeln!(
                out,
                "{}.{} {} {}",
                file.message, file.part, file.shown, file.place.column
            )
            .unwrap();
            assert!(file.path.is_absolute() && file.path.is_file());
        }
    }
    out
}

/// Loads a case with one user message of these parts.
fn parts(parts: &str) -> String {
    sent(&format!("[{{\"content\": [{parts}]}}]"))
}

fn all(read: fn(&str) -> String, texts: &[&str]) -> String {
    let found: Vec<_> = texts
        .iter()
        .map(|text| read(text).trim_end().to_owned())
        .collect();
    found.join("\n")
}

#[test]
fn roles_have_their_fields() {
    assert_snapshot!(sent(
        "[{\"role\": \"system\", \"content\": \"Be kind.\"}, {\"role\": \"developer\", \"content\": [{\"type\": \"text\", \"text\": \"a\"}, {\"type\": \"text\", \"text\": \"b\"}]}, \
          {\"content\": \"Hi\", \"name\": \"ada\"}, \
          {\"role\": \"assistant\", \"content\": null, \"tool_calls\": [{\"id\": \"c1\", \"type\": \"function\", \"function\": {\"name\": \"find\", \"arguments\": {\"q\": [1]}}}]}, \
          {\"role\": \"tool\", \"tool_call_id\": \"c1\", \"content\": \"\"}, \
          {\"role\": \"assistant\", \"content\": \"So\", \"toolCalls\": [{\"id\": \"c2\", \"name\": \"get\", \"arguments\": \"{}\"}, {\"id\": \"c3\", \"function\": {\"name\": \"put\"}}]}, \
          {\"role\": \"tool\", \"toolCallId\": \"c2\", \"content\": [{\"type\": \"text\", \"text\": \"t\"}], \"error\": \"late\"}, \
          {\"role\": \"user\", \"content\": \"${VAR.X:-y}\"}]"
    ), @r#"
    {"role":"system","content":"Be kind."}
    {"role":"developer","content":"a\nb"}
    {"role":"user","content":"Hi","name":"ada"}
    {"role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{\"q\":[1]}"}}]}
    {"role":"tool","content":"","toolCallId":"c1"}
    {"role":"assistant","content":"So","toolCalls":[{"id":"c2","type":"function","function":{"name":"get","arguments":"{}"}},{"id":"c3","type":"function","function":{"name":"put","arguments":"{}"}}]}
    {"role":"tool","content":[{"type":"text","text":"t"}],"toolCallId":"c2","error":"late"}
    {"role":"user","content":"${VAR.X:-y}"}
    "#);
}

#[test]
fn mistakes_in_messages_are_told() {
    assert_snapshot!(all(sent, &[
        "[]",
        "{\"content\": \"Hi\"}",
        "\"Hi\"",
        "[\"Hi\"]",
        "[{}]",
        "[{\"content\": \"\"}]",
        "[{\"content\": []}]",
        "[{\"content\": {}}]",
        "[{\"content\": null}]",
        "[{\"role\": \"human\", \"content\": \"Hi\"}]",
        "[{\"role\": \"asistant\", \"content\": \"Hi\"}]",
        "[{\"role\": 1, \"content\": \"Hi\"}]",
        "[{\"id\": \"m1\", \"content\": \"Hi\"}]",
        "[{\"text\": \"Hi\"}]",
        "[{\"content\": \"Hi\", \"tool_calls\": [{\"id\": \"a\", \"name\": \"b\"}]}]",
        "[{\"content\": \"Hi\", \"tool_call_id\": \"a\"}]",
        "[{\"content\": \"Hi\", \"error\": \"a\"}]",
        "[{\"role\": \"tool\", \"content\": \"Hi\"}]",
        "[{\"role\": \"tool\", \"content\": \"Hi\", \"tool_call_id\": \"x\", \"name\": \"n\"}]",
        "[{\"role\": \"assistant\", \"tool_calls\": []}]",
        "[{\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"a\"}]}]",
        "[{\"role\": \"assistant\", \"tool_calls\": [{\"name\": \"a\"}]}]",
        "[{\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"a\", \"name\": \"b\", \"function\": {\"name\": \"c\"}}]}]",
        "[{\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"a\", \"name\": \"b\"}], \"toolCalls\": [{\"id\": \"a\", \"name\": \"b\"}]}]",
        "[{\"role\": \"system\", \"content\": [{\"type\": \"image\", \"source\": \"https://h/a.png\"}]}]",
    ]), @r#"
    tests/a.jsonl:1:25 error there is no message |  | write `[{"role": "user", "content": "Hello"}]`
    tests/a.jsonl:1:25 error expected a list of messages, found a map |  | put it in brackets
    tests/a.jsonl:1:25 error expected a list, found text
    tests/a.jsonl:1:26 error expected a message, found text |  | write `{"role": "user", "content": "Hi"}`
    tests/a.jsonl:1:26 error the message says nothing |  | write `"content": "…"`
    tests/a.jsonl:1:38 error the text is empty
    tests/a.jsonl:1:38 error the list of parts is empty
    tests/a.jsonl:1:38 error expected text or a list of parts, found a map
    tests/a.jsonl:1:26 error the message says nothing |  | write `"content": "…"`
    tests/a.jsonl:1:35 error unknown role `human` | expected `user`, `assistant`, `system`, `developer` or `tool` | did you mean `user`?
    tests/a.jsonl:1:35 error unknown role `asistant` | expected `user`, `assistant`, `system`, `developer` or `tool` | did you mean `assistant`?
    tests/a.jsonl:1:35 error expected `user`, `assistant`, `system`, `developer` or `tool`, found the number `1`
    tests/a.jsonl:1:27 error unknown key `id` in a message | expected `role`, `content`, `name`, `tool_calls`, `toolCalls`, `tool_call_id`, `toolCallId` or `error` | each message gets an id of its own when it is sent
    tests/a.jsonl:1:26 error the message says nothing |  | write `"content": "…"`
    tests/a.jsonl:1:27 error unknown key `text` in a message | expected `role`, `content`, `name`, `tool_calls`, `toolCalls`, `tool_call_id`, `toolCallId` or `error` | what is said is written under `content`
    tests/a.jsonl:1:58 error only a message of role `assistant` has `tool_calls`
    tests/a.jsonl:1:60 error only a message of role `tool` has `tool_call_id`
    tests/a.jsonl:1:53 error only a message of role `tool` has `error`
    tests/a.jsonl:1:26 error `tool_call_id` is missing in a tool message |  | write the `id` of the call that it answers
    tests/a.jsonl:1:76 warning no message before this one has the call `x` |  | write the call into the `tool_calls` of an assistant message
    tests/a.jsonl:1:89 warning the `name` of a tool message is not sent |  | a tool message says with `tool_call_id` which call it answers
    {"role":"tool","content":"Hi","toolCallId":"x"}
    tests/a.jsonl:1:62 error the list of calls is empty |  | leave it out
    tests/a.jsonl:1:63 error the call names no tool |  | write `"function": {"name": "…", "arguments": {}}`
    tests/a.jsonl:1:63 error `id` is missing in a tool call |  | write `id: c1`
    tests/a.jsonl:1:63 error the call has a `function` and what belongs in it beside it |  | leave one of them out
    tests/a.jsonl:1:103 error `tool_calls` and `toolCalls` say the same twice |  | leave one of them out
    tests/a.jsonl:1:57 error the content of a `system` message is text |  | put other parts into a `user` message
    "#);
}

#[test]
fn parts_become_those_of_the_protocol() {
    assert_snapshot!(all(parts, &[
        "{\"type\": \"text\", \"text\": \"Hi\"}, {\"type\": \"image\", \"source\": \"file://./fixtures/receipt.jpg\", \"detail\": \"low\"}",
        "{\"type\": \"document\", \"source\": \"file://my%20bill.pdf\", \"name\": \"bill\"}, {\"type\": \"file\", \"source\": \"file://notes.qqq\"}",
        "{\"type\": \"file\", \"source\": \"file://main.rs\", \"filename\": \"m\"}",
        "{\"type\": \"image\", \"source\": \"file://notes.qqq\", \"mimeType\": \"image/x-odd\"}",
        "{\"type\": \"image\", \"source\": \"https://h/a.png\"}, {\"type\": \"video\", \"source\": \"http://h/a\", \"mimeType\": \"video/mp4\"}",
        "{\"type\": \"audio\", \"source\": \"data:audio/wav;base64,UklGRg==\"}",
        "{\"type\": \"image\", \"source\": {\"type\": \"url\", \"value\": \"https://h/a\", \"mimeType\": \"image/png\"}}",
        "{\"type\": \"document\", \"source\": {\"type\": \"file\", \"value\": \"f-1\", \"provider\": \"openai\"}}",
        "{\"type\": \"image\", \"source\": {\"type\": \"data\", \"value\": \"aGk=\", \"mimeType\": \"image/png\"}}",
        "{\"type\": \"image_url\", \"image_url\": {\"url\": \"https://h/a.png\", \"detail\": \"high\"}}",
        "{\"type\": \"image_url\", \"image_url\": \"data:image/png;base64,aGk=\"}",
        "{\"type\": \"input_audio\", \"input_audio\": {\"data\": \"aGk=\", \"format\": \"mp3\"}}",
        "{\"type\": \"input_audio\", \"input_audio\": {\"data\": \"aGk=\", \"format\": \"pcm16\"}}",
        "{\"type\": \"file\", \"file\": {\"file_id\": \"f-1\", \"filename\": \"a.pdf\"}}",
        "{\"type\": \"file\", \"file\": {\"file_data\": \"data:application/pdf;base64,aGk=\"}}",
        "{\"type\": \"file\", \"url\": \"https://h/a.pdf\", \"name\": \"a.pdf\"}",
        "{\"type\": \"image\", \"source\": \"${VAR.PHOTO:-https://h/p}\"}",
    ]), @r#"
    {"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image","source":{"type":"data","value":"","mimeType":"image/jpeg"},"metadata":{"detail":"low"}}]}
    0.1 tests/fixtures/receipt.jpg 99
    {"role":"user","content":[{"type":"document","source":{"type":"data","value":"","mimeType":"application/pdf"},"metadata":{"filename":"bill"}},{"type":"document","source":{"type":"data","value":"","mimeType":"application/octet-stream"}}]}
    0.0 tests/my bill.pdf 70
    0.1 tests/notes.qqq 138
    {"role":"user","content":[{"type":"document","source":{"type":"data","value":"","mimeType":"text/plain"},"metadata":{"filename":"m"}}]}
    0.0 tests/main.rs 66
    {"role":"user","content":[{"type":"image","source":{"type":"data","value":"","mimeType":"image/x-odd"}}]}
    0.0 tests/notes.qqq 67
    {"role":"user","content":[{"type":"image","source":{"type":"url","value":"https://h/a.png"}},{"type":"video","source":{"type":"url","value":"http://h/a","mimeType":"video/mp4"}}]}
    {"role":"user","content":[{"type":"audio","source":{"type":"data","value":"UklGRg==","mimeType":"audio/wav"}}]}
    {"role":"user","content":[{"type":"image","source":{"type":"url","value":"https://h/a","mimeType":"image/png"}}]}
    {"role":"user","content":[{"type":"document","source":{"type":"file","value":"f-1","provider":"openai"}}]}
    {"role":"user","content":[{"type":"image","source":{"type":"data","value":"aGk=","mimeType":"image/png"}}]}
    {"role":"user","content":[{"type":"image","source":{"type":"url","value":"https://h/a.png"},"metadata":{"detail":"high"}}]}
    {"role":"user","content":[{"type":"image","source":{"type":"data","value":"aGk=","mimeType":"image/png"}}]}
    {"role":"user","content":[{"type":"audio","source":{"type":"data","value":"aGk=","mimeType":"audio/mpeg"}}]}
    {"role":"user","content":[{"type":"audio","source":{"type":"data","value":"aGk=","mimeType":"audio/pcm16"}}]}
    {"role":"user","content":[{"type":"document","source":{"type":"file","value":"f-1"},"metadata":{"filename":"a.pdf"}}]}
    {"role":"user","content":[{"type":"document","source":{"type":"data","value":"aGk=","mimeType":"application/pdf"}}]}
    {"role":"user","content":[{"type":"document","source":{"type":"url","value":"https://h/a.pdf"},"metadata":{"filename":"a.pdf"}}]}
    {"role":"user","content":[{"type":"image","source":{"type":"url","value":"${VAR.PHOTO:-https://h/p}"}}]}
    "#);
}

#[test]
fn mistakes_in_parts_are_told() {
    assert_snapshot!(all(parts, &[
        "\"Hi\"",
        "{\"text\": \"Hi\"}",
        "{\"type\": \"txt\", \"text\": \"Hi\"}",
        "{\"type\": \"input_image\", \"image_url\": \"x\"}",
        "{\"type\": 5}",
        "{\"type\": \"text\"}",
        "{\"type\": \"text\", \"text\": \"\"}",
        "{\"type\": \"image\"}",
        "{\"type\": \"image\", \"url\": \"https://h\"}",
        "{\"type\": \"image\", \"source\": \"receipt.jpg\"}",
        "{\"type\": \"image\", \"source\": \"ftp://h/a.png\"}",
        "{\"type\": \"image\", \"source\": [1]}",
        "{\"type\": \"image\", \"source\": \"file://./fixtures/reciept.jpg\"}",
        "{\"type\": \"image\", \"source\": \"file://nowhere/at/all.jpg\"}",
        "{\"type\": \"image\", \"source\": \"file://fixtures\"}",
        "{\"type\": \"image\", \"source\": \"file://\"}",
        "{\"type\": \"image\", \"source\": \"file://${ENV.A}.png\"}",
        "{\"type\": \"image\", \"source\": \"file://my%20bill.pdf\"}",
        "{\"type\": \"audio\", \"source\": \"file://notes.qqq\"}",
        "{\"type\": \"image\", \"source\": \"data:image/png,abc\"}",
        "{\"type\": \"image\", \"source\": \"data:image/png;base64,@@@\"}",
        "{\"type\": \"image\", \"source\": {\"type\": \"base64\", \"data\": \"aGk=\"}}",
        "{\"type\": \"image\", \"source\": {\"type\": \"data\", \"value\": \"aGk=\"}}",
        "{\"type\": \"file\"}",
        "{\"type\": \"file\", \"url\": \"https://h\", \"source\": \"https://h\"}",
        "{\"type\": \"file\", \"file\": {}}",
        "{\"type\": \"input_audio\", \"data\": \"aGk=\"}",
    ]), @r#"
    tests/a.jsonl:1:39 error expected a part such as `{"type": "text", "text": "Hello"}`, found text
    tests/a.jsonl:1:39 error `type` is missing in a part | expected `text`, `image`, `audio`, `video`, `document`, `file`, `image_url` or `input_audio`
    tests/a.jsonl:1:48 error unknown part type `txt` | expected `text`, `image`, `audio`, `video`, `document`, `file`, `image_url` or `input_audio` | did you mean `text`?
    tests/a.jsonl:1:48 error unknown part type `input_image` | expected `text`, `image`, `audio`, `video`, `document`, `file`, `image_url` or `input_audio` | did you mean `image`?
    tests/a.jsonl:1:48 error expected `text`, `image`, `audio`, `video`, `document`, `file`, `image_url` or `input_audio`, found the number `5`
    tests/a.jsonl:1:39 error `text` is missing in a `text` part |  | write `text: Hello`
    tests/a.jsonl:1:64 error the text is empty
    tests/a.jsonl:1:39 error `source` is missing in an `image` part |  | write `source: "https://example.com/a"`
    tests/a.jsonl:1:39 error `source` is missing in an `image` part |  | write `source: "https://example.com/a"`
    tests/a.jsonl:1:57 error unknown key `url` in an `image` part | expected `type`, `source`, `mimeType` or `detail` | the URL is written under `source`
    tests/a.jsonl:1:67 error `receipt.jpg` is neither a file nor a URL | expected `file://…`, `https://…` or `data:…;base64,…` | write `file://receipt.jpg` for a file
    tests/a.jsonl:1:67 error `ftp://h/a.png` is neither a file nor a URL | expected `file://…`, `https://…` or `data:…;base64,…`
    tests/a.jsonl:1:67 error expected a file, a URL or a map, found a list
    tests/a.jsonl:1:67 error there is no file `tests/fixtures/reciept.jpg` |  | did you mean `tests/fixtures/receipt.jpg`?
    tests/a.jsonl:1:67 error there is no file `tests/nowhere/at/all.jpg`
    tests/a.jsonl:1:67 error `tests/fixtures` is no file
    tests/a.jsonl:1:67 error the path of the file cannot be read |  | write `file://` and a path, from the folder of this file or absolute
    tests/a.jsonl:1:67 error the path of a file holds no references |  | write the path itself: files are looked for before the first test runs
    tests/a.jsonl:1:67 error `tests/my bill.pdf` does not look like an image |  | write `"type": "document"`, or name another file
    tests/a.jsonl:1:67 error `tests/notes.qqq` does not look like audio |  | say what it is with `"mimeType": "audio/…"`
    tests/a.jsonl:1:67 error the data URL is not in base64 |  | write `data:image/png;base64,…`
    tests/a.jsonl:1:67 error the data is not base64 |  | encode it with `base64 -w0`, or name the file as `file://…`
    tests/a.jsonl:1:67 error `value` is missing in a source |  | write `value: aGVsbG8=`
    tests/a.jsonl:1:76 error unknown word `base64` | expected `data`, `url` or `file`
    tests/a.jsonl:1:86 error unknown key `data` in a source | expected `type`, `value`, `mimeType` or `provider` | the data is written under `value`
    tests/a.jsonl:1:67 error `mimeType` is missing in a source of type `data` |  | write `"mimeType": "image/png"`
    tests/a.jsonl:1:39 error the part names no file | expected one of `source`, `url` and `file` | write `"source": "file://./bill.pdf"`
    tests/a.jsonl:1:39 error the part names its file more than once | expected one of `source`, `url` and `file` | write `"source": "file://./bill.pdf"`
    tests/a.jsonl:1:39 error `file` names no file, or more than one | expected one of `file_id`, `file_data` and `url`
    tests/a.jsonl:1:39 error `input_audio` is missing in an `input_audio` part |  | write `input_audio: {data: UklGRg==, format: wav}`
    tests/a.jsonl:1:63 error unknown key `data` in an `input_audio` part | expected `type` or `input_audio` | write `data` under `input_audio`
    "#);
}

#[test]
fn files_are_at_most_20_mib() {
    let case = "{\"id\": \"a\", \"input\": {\"content\": [{\"type\": \"file\", \"source\": \"file://big.bin\"}]}, \"expected\": 1}";
    let suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("tests/a.jsonl", case),
        ("tests/big.bin", ""),
    ]);
    let file = std::fs::File::options()
        .write(true)
        .open(suite.root().join("tests/big.bin"))
        .unwrap();
    file.set_len(20 << 20).unwrap();
    assert_eq!(problems(&suite.load()), "");
    file.set_len((20 << 20) + 1).unwrap();
    assert_snapshot!(problems(&suite.load()), @"tests/a.jsonl:1:62 error `tests/big.bin` is larger than 20 MiB |  | send a smaller one, or a URL");
}
