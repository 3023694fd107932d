package io.persist.store.staged;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.KeyBuffer;
import io.persist.store.OldValues;
import io.persist.support.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StagedChangesTest {

    /** The application may catch that, and go on. The JVM interprets, so that a call always needs as much stack. */
    @Test
    void shouldForgetNoKeyWhereTheStackEnds() throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.command(LittleStack.class));
        command.add(1, "-Xint");
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("some puts ended there, and no key was forgotten");
        }
    }

    static final class LittleStack {

        /** With so many and one more the table grows. */
        private static final int KEYS = 32;

        private static final int MOST_LEVELS = 60;

        private StagedChanges staged = new StagedChanges(1 << 16, OldValues.RECORD);
        private int ended;

        private LittleStack() {}

        public static void main(String[] arguments) throws InterruptedException {
            Thread thread = new Thread(null, () -> System.out.println(new LittleStack().run()), "deep", 256 << 10);
            thread.start();
            thread.join();
        }

        private String run() {
            for (int levels = 0; levels < MOST_LEVELS; levels++) {
                staged = new StagedChanges(1 << 16, OldValues.RECORD);
                staged.clear();
                for (int i = 0; i < KEYS; i++) {
                    put(i);
                }
                putAbove(levels);
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

        private void put(int number) {
            staged.put(key(number), new byte[8], 0, 8);
        }

        /** Puts the next key from so many calls above the end of the stack. */
        private int putAbove(int levels) {
            int above;
            try {
                above = putAbove(levels);
            } catch (StackOverflowError e) {
                return 0;
            }
            if (above == levels) {
                try {
                    put(KEYS);
                } catch (StackOverflowError e) {
                    ended++;
                }
            }
            return above + 1;
        }
    }
}
