package io.persist.jmh.support;

import java.util.Random;

/** What is appended: bytes that do not compress, the same in every run. */
public final class Payloads {

    private Payloads() {}

    /** So many bytes. */
    public static byte[] random(int length) {
        byte[] payload = new byte[length];
        new Random(42).nextBytes(payload);
        return payload;
    }
}
