package io.persist.bench.flags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.command.CommandLine;
import io.persist.command.UsageException;
import org.junit.jupiter.api.Test;

class StoreLoggerParametersTest {

    private static StoreLoggerParameters parse(String... flags) {
        StoreLoggerParameters parameters = new StoreLoggerParameters();
        CommandLine.of(parameters).parse(flags);
        return parameters;
    }

    /** Else the run would end for want of memory once all is written. */
    @Test
    void shouldRefuseRandomKeysThatTakeMostOfTheHeap() {
        long heap = 64 << 20;
        StoreLoggerParameters random = parse("--keyOrder", "random", "--keys", "5000000");
        assertThatThrownBy(() -> random.keyPattern(1, heap))
                .isInstanceOf(UsageException.class)
                .hasMessage("--keys 5000000 take 38.1 MiB of a heap of 64.0 MiB with --keyOrder random, to check what"
                        + " is read; give the JVM a larger -Xmx, or fewer --keys");
        assertThat(random.keyPattern(1, 2 * heap).keys()).isEqualTo(5_000_000);
        assertThat(parse("--keys", "5000000").keyPattern(1, heap).keys()).isEqualTo(5_000_000);
    }
}
