//! A door: the device's half of a table, for a browser that has no `crypto.subtle` because the page came over plain HTTP. JSON in, JSON out; what that means is in
//! `astragal_seat::Door`. It knows no programs: what dice come to is asked of the engine's module.
//!
//! Three functions over the module's memory, so that it needs no glue:
//!
//! ```js
//! const { memory, room, answer, length } = instance.exports;
//! const bytes = new TextEncoder().encode(request);
//! const place = room(bytes.length);       // the memory may have grown: its buffer is asked for afterwards
//! new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
//! const at = answer();
//! const told = new TextDecoder().decode(new Uint8Array(memory.buffer, at, length()));
//! ```
//!
//! A module is one device at one table. Who wants two makes two instances.

use std::cell::RefCell;

use astragal_seat::Door;

thread_local! {
    /// A page's module has one thread, but the library may not know that.
    static DEVICE: RefCell<Device> = RefCell::default();
}

/// A device, and what is said to and by it.
#[derive(Default)]
struct Device {
    door: Door,
    request: Vec<u8>,
    answer: String,
}

/// Makes room for a request of so many bytes, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> usize {
    DEVICE.with_borrow_mut(|device| {
        device.request.clear();
        device.request.resize(length, 0);
        device.request.as_mut_ptr() as usize
    })
}

/// Answers the request that was laid there, and says where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    DEVICE.with_borrow_mut(|device| {
        let request = String::from_utf8_lossy(&device.request);
        device.answer = device.door.answer(&request);
        device.answer.as_ptr() as usize
    })
}

/// How many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    DEVICE.with_borrow(|device| device.answer.len())
}
