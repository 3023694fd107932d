package io.persist.peers.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.peers.profile.Profile.Count;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which samples count, and how they are added up. */
class ProfileTest {

    private static final String LOOP = ";java/lang/Thread.run;io/persist/peers/trial/AppendLoop.run";

    @Test
    void shouldCountTheThreadsThatMeasureAndNotTheProfilerItself() {
        Profile profile = Profile.of(
                SampledEvent.CPU_CLOCK,
                List.of(
                        "[main tid=1]" + LOOP + ";io/persist/log/engine/Log.append;updateBytesCRC32C 5",
                        "[main tid=1]" + LOOP + ";io/persist/log/engine/Log.append 2",
                        "[main tid=1]" + LOOP + ";io/persist/log/engine/Log.append;java/nio/Buffer.limit 1",
                        "[main tid=1]" + LOOP + ";io/persist/log/engine/Log.flush 4",
                        "[main tid=1];[break_interpreted] 1",
                        "[main tid=1];io/persist/peers/trial/AsyncSampling.end;sun/nio/ch/IOUtil.write 100",
                        "[main tid=1];A.main;one/profiler/AsyncProfiler.stop;munmap 100",
                        "[some, other thread tid=2];java/lang/Thread.run;updateBytesCRC32C 100",
                        "[other tid=3]" + LOOP + ";handle_mm_fault_[k] 7"));

        assertThat(profile.samples()).isEqualTo(20);
        assertThat(profile.kinds())
                .containsOnlyKeys(Kind.CHECKSUM, Kind.PAGES, Kind.JOURNAL, Kind.REST)
                .containsEntry(Kind.CHECKSUM, 5L)
                .containsEntry(Kind.PAGES, 7L)
                .containsEntry(Kind.JOURNAL, 7L)
                .containsEntry(Kind.REST, 1L);
        assertThat(profile.methods())
                .containsExactly(
                        new Count("io/persist/log/engine/Log.flush", 4),
                        new Count("io/persist/log/engine/Log.append", 3));
        assertThat(profile.leaves())
                .startsWith(new Count("handle_mm_fault_[k]", 7), new Count("updateBytesCRC32C", 5))
                .hasSize(6);
    }

    @Test
    void shouldBeEmptyWithoutSamples() {
        assertThat(Profile.of(SampledEvent.WALL, List.of()).samples()).isZero();
    }
}
