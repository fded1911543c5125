//! The numbers of `spec/fair.md`, read from the page and computed.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use astragal::faces::{DieFaces, Faces, Seeded};
use astragal_fair::formulas::{house_value, roll_key, seal, table_id, witness_value};
use astragal_fair::{Bytes, aloud, hash};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

const REQUEST: &[u8] = br#"{"v":1,"text":"2d6"}"#;

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/fair.md");
    std::fs::read_to_string(path).unwrap()
}

/// What stands in the rows of the table of vectors, in their order.
fn rows() -> Vec<(String, String)> {
    let page = page();
    let vectors = page.split("## Vectors").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = vectors.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cell = |text: &str| text.trim().trim_matches('`').to_owned();
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|');
        (cell(cells.next().unwrap()), cell(cells.next().unwrap()))
    })
    .collect()
}

fn thrown(key: [u8; 32], sides: u64) -> String {
    let (mut faces, die) = (Seeded::from_key(key), DieFaces::sides(sides));
    let shown: Vec<String> =
        (0..12).map(|_| (faces.throw(&die).unwrap() + 1).to_string()).collect();
    shown.join(" ")
}

#[test]
fn the_page_is_right() {
    let house_key = ed25519_dalek::SigningKey::from_bytes(&[1; 32]).verifying_key().to_bytes();
    let table = table_id(&Bytes(house_key), &Bytes([3; 16]));
    let house = house_value(&[2; 32], &table, 1, 0);
    let witness = witness_value(&[7; 32], &table, 0);
    let request = hash(REQUEST);
    let alone = roll_key(&house, &request, &[]);
    let witnessed = roll_key(&house, &request, &[witness]);
    let computed = [
        format!("from the seed of 32 bytes `01`: `{}", Bytes(house_key)),
        table.to_string(),
        house.to_string(),
        seal(&house).to_string(),
        witness.to_string(),
        seal(&witness).to_string(),
        request.to_string(),
        alone.to_string(),
        thrown(alone.0, 6),
        thrown(alone.0, 20),
        witnessed.to_string(),
        thrown(witnessed.0, 6),
        aloud(&Bytes([4; 32]), "teapot"),
    ];
    let rows = rows();
    assert_eq!(rows.len(), computed.len());
    for ((what, value), computed) in rows.iter().zip(&computed) {
        assert_eq!(value, computed, "{what}");
    }
}

/// The values as they were first published, without the table id.
#[test]
fn the_first_vectors_hold_for_all_that_has_not_changed() {
    let keyed = |key: [u8; 32], text: &[u8]| {
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(text);
        Bytes::<32>(mac.finalize().into_bytes().into())
    };
    let mut text = b"astragal house value v1\0".to_vec();
    text.extend(1u32.to_le_bytes());
    text.extend(0u64.to_le_bytes());
    let house = keyed([2; 32], &text);
    let mut text = b"astragal witness value v1\0".to_vec();
    text.extend(0u64.to_le_bytes());
    let witness = keyed([7; 32], &text);
    let is = |found: Bytes<32>, wanted: &str| assert_eq!(found.to_string(), wanted);
    is(house, "218f7c8f1f1b5a8d797b39b7339b5e08f57146a7083211541b9980bfb42469ee");
    is(seal(&house), "514afb791d77207282f0ef69844c8ad1d2d3054367dbddc877bb4fa234a3bb34");
    is(witness, "17cd96b99a3ec37813a4bf0086cea2db1e81b921972698256ca30d85915c2389");
    is(seal(&witness), "567b39e0e5ee852fefd944a2f222754f3631364cd03fb585d1766cdf34124220");
    let request = hash(REQUEST);
    let alone = roll_key(&house, &request, &[]);
    is(alone, "f9f456a3050535834b1cb156cc65ced441af582d6390d1fd6e8e169988a75c02");
    assert_eq!(thrown(alone.0, 6), "4 4 2 5 4 4 6 4 3 5 5 3");
    assert_eq!(thrown(alone.0, 20), "13 11 5 17 13 12 18 13 7 17 15 9");
    let witnessed = roll_key(&house, &request, &[witness]);
    is(witnessed, "1e656a6ade671bc3a22b97cf33cc110b02ae68bb372168b00c1f61d16ef1a8ab");
    assert_eq!(thrown(witnessed.0, 6), "3 3 2 5 2 5 3 2 1 4 2 5");
}

#[test]
fn the_list_of_words_is_that_of_the_page() {
    let page = page();
    let listed = page.split("## The list of words").nth(1).unwrap();
    let listed = listed.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(listed, include_str!("../src/words.txt"));
}
