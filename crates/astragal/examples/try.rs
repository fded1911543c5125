//! Scratch.
use astragal::*;
fn main() {
    let engine = Engine::new();
    for text in std::env::args().skip(1) {
        let t = std::time::Instant::now();
        match engine.compile(&text) {
            Err(e) => println!("{text}\n{e}"),
            Ok(p) => {
                let c = t.elapsed();
                let t = std::time::Instant::now();
                match p.odds(&Budget::default()) {
                    Err(e) => println!("{text}\n{e}"),
                    Ok(o) => {
                        let a = o.only();
                        println!("{text}  [{c:?} {:?}] mean {:?} var {:?} rest {} lost {} n {}", t.elapsed(), a.mean().map(|m| m.to_string()), a.variance().map(|m| m.to_string()), a.rest, a.lost, a.outcomes.len());
                        for (v, c) in a.outcomes.iter().take(12) { println!("   {v}: {c}"); }
                        for n in &a.notices { println!("   notice: {n}"); }
                    }
                }
            }
        }
    }
}
