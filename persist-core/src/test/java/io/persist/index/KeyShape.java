package io.persist.index;

import io.persist.index.node.KeyBuffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;

/** Kinds of keys: the {@code n}-th of one kind is always the same, and random ones are drawn by a number. */
enum KeyShape {
    /** 1 to 6 bytes of few values, so that many begin others; with 0x00 and 0xFF. */
    SHORT {
        @Override
        byte[] key(int n) {
            byte[] key = new byte[1 + (n & Integer.MAX_VALUE) % 6];
            int left = mixed(n);
            for (int i = 0; i < key.length; i++) {
                key[i] = FEW[left & 3];
                left >>>= 2;
            }
            return key;
        }
    },
    RANDOM_8 {
        @Override
        byte[] key(int n) {
            return ByteBuffer.allocate(8).putLong(mixedLong(n)).array();
        }
    },
    /** Any length and any bytes. */
    ANY {
        @Override
        byte[] key(int n) {
            Random random = new Random(n);
            byte[] key = new byte[1 + random.nextInt(random.nextInt(8) == 0 ? KeyBuffer.MAX_LENGTH : 60)];
            random.nextBytes(key);
            return key;
        }
    },
    /** Prefixes of up to 1000 bytes which the keys of a cluster share. */
    LONG_PREFIX {
        @Override
        byte[] key(int n) {
            int cluster = mixed(n) & 7;
            byte[] key = new byte[10 + cluster * 140];
            key[cluster] = (byte) cluster;
            return ByteBuffer.wrap(key)
                    .putInt(key.length - 4, n)
                    .putShort(key.length - 8, (short) mixed(n))
                    .array();
        }
    },
    /** Each begins the next ones: only the length differs, and a byte at the end. */
    NESTED {
        @Override
        byte[] key(int n) {
            byte[] key = new byte[1 + (n & Integer.MAX_VALUE) % KeyBuffer.MAX_LENGTH];
            if ((n & 1) == 0) {
                key[key.length - 1] = (byte) (n >>> 16);
            }
            return key;
        }
    },
    /** Of the greatest length, different at the end, or anywhere. */
    LONGEST {
        @Override
        byte[] key(int n) {
            byte[] key = new byte[KeyBuffer.MAX_LENGTH];
            key[(n & 3) == 0 ? 0 : (n & 3) == 1 ? 500 : 1000] = (byte) mixed(n);
            return ByteBuffer.wrap(key).putInt(key.length - 4, n).array();
        }
    },
    ASCENDING_16 {
        @Override
        byte[] key(int n) {
            return ByteBuffer.allocate(16).putLong(8, n).array();
        }
    },
    DESCENDING_16 {
        @Override
        byte[] key(int n) {
            return ByteBuffer.allocate(16).putLong(8, Integer.MAX_VALUE - n).array();
        }
    },
    /** Ascending in each of some clusters. */
    CLUSTERED {
        @Override
        byte[] key(int n) {
            return ByteBuffer.allocate(12).putInt(mixed(n % 37)).putLong(n).array();
        }
    },
    /** Like {@code TASK_RUN/0b7c...-7/3}, of about 50 bytes; in order of creation they ascend within a workflow. */
    TASK_RUN {
        @Override
        byte[] key(int n) {
            int perRun = 10;
            UUID run = new UUID(mixedLong(n / perRun / 100), mixedLong(n / perRun / 100 + 1));
            int number = 1000 + n / perRun % 100;
            return ("TASK_RUN/" + run + '-' + Integer.toString(number).substring(1) + '/' + n % perRun)
                    .getBytes(StandardCharsets.US_ASCII);
        }
    },
    /** Like {@code TIMER_OBJECT/0000000001234/0b7c...}, of 63 bytes: many of one time, with random numbers. */
    TIMER {
        @Override
        byte[] key(int n) {
            String time =
                    Long.toString(10_000_000_000_000L + n / TIMERS_PER_TIME).substring(1);
            return ("TIMER_OBJECT/" + time + '/' + new UUID(mixedLong(n), mixedLong(n + 1)))
                    .getBytes(StandardCharsets.US_ASCII);
        }
    };

    private static final int TIMERS_PER_TIME = 60;
    private static final byte[] FEW = {0, 1, 'a', (byte) 0xFF};

    abstract byte[] key(int n);

    private static int mixed(int n) {
        return (int) (mixedLong(n) >>> 20);
    }

    /** Bijective, so that there are no two alike. */
    private static long mixedLong(long n) {
        long mixed = (n + 1) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return mixed ^ mixed >>> 32;
    }
}
