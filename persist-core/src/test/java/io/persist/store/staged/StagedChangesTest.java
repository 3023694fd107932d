package io.persist.store.staged;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.KeyBuffer;
import io.persist.store.OldValues;
import io.persist.support.StackEnd;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StagedChangesTest {

    @Test
    void shouldForgetNoKeyAndKeepNoChangeWhereTheStackEnds() throws Exception {
        assertThat(StackEnd.hear(LittleStack.class)).isEqualTo("some puts ended there, and no key was forgotten");
    }

    static final class LittleStack {

        /** With so many and one more the table grows. */
        private static final int KEYS = 32;

        private static final int MOST_LEVELS = 60;

        public static void main(String[] arguments) throws InterruptedException {
            StackEnd.print(LittleStack::run);
        }

        private static String run() {
            int ended = 0;
            for (int levels = 0; levels < MOST_LEVELS; levels++) {
                StagedChanges staged = new StagedChanges(1 << 16, OldValues.RECORD);
                staged.clear();
                for (int i = 0; i < KEYS; i++) {
                    put(staged, i);
                }
                boolean hasEnded = StackEnd.isIn(() -> put(staged, KEYS), levels);
                ended += hasEnded ? 1 : 0;
                if (staged.count() != (hasEnded ? KEYS : KEYS + 1)) {
                    return levels + " calls above the end: " + staged.count() + " changes, hasEnded=" + hasEnded;
                }
                for (int i = 0; i < KEYS; i++) {
                    byte[] key = key(i);
                    if (staged.find(new KeyBuffer().set(key, 0, key.length)) < 0) {
                        return levels + " calls above the end: key " + i + " was forgotten";
                    }
                }
            }
            return (ended > 0 ? "some" : "no") + " puts ended there, and no key was forgotten";
        }

        private static byte[] key(int number) {
            return ("key" + number).getBytes(StandardCharsets.US_ASCII);
        }

        private static void put(StagedChanges staged, int number) {
            staged.put(key(number), new byte[8], 0, 8);
        }
    }
}
