package io.persist.file.disk;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.jcstress.DirectMemory;
import java.nio.MappedByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A mapping that two threads close. */
public final class DiskMappingPairs {

    private DiskMappingPairs() {}

    @JCStressTest
    @Description("DiskMapping.close of two threads: memory that is unmapped twice may be somebody else's by then.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "Unmapped once.")
    @Outcome(expect = FORBIDDEN, desc = "Unmapped twice, or not at all.")
    @State
    public static class ClosedOnce {

        final AtomicInteger unmapped = new AtomicInteger();
        final DiskMapping mapping = new DiskMapping(
                new Unmapper.Mapped((MappedByteBuffer) DirectMemory.zeros(0), unmapped::incrementAndGet),
                new DiskMapping.Allowance(Long.MAX_VALUE, () -> 0));

        @Actor
        public void one() {
            mapping.close();
        }

        @Actor
        public void other() {
            mapping.close();
        }

        @Arbiter
        public void arbiter(I_Result r) {
            r.r1 = unmapped.get();
        }
    }
}
