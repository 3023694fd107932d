package io.persist.memcached.cache;

import java.util.Arrays;

/** A lock for each key, which some keys share. Any thread may take one. */
final class KeyLocks {

    private static final int LOCKS = 1024;

    private final Object[] locks = new Object[LOCKS];

    KeyLocks() {
        Arrays.setAll(locks, i -> new Object());
    }

    Object of(byte[] key) {
        int hash = Arrays.hashCode(key) * 0x9E37_79B1;
        return locks[hash >>> 22];
    }
}
