package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Follower;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.HolderMark;
import io.persist.testkit.Fault;
import java.util.ArrayList;
import java.util.List;

/**
 * After a kill or a volume that was mounted anew, readers come before any writer, and cannot see whether the last one
 * lives, as from another container. They meet no damage, and what they read one by one ends where recovery then ends
 * the log, or before that.
 */
public final class UnseenWriter implements Exercise {

    private static final List<Fault> FAULTS = List.of(Fault.REMOUNT, Fault.KILL);
    private static final int LIVES = 3;

    @Override
    public Row row() {
        return Row.REMOUNT;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        Machine.each(subject, effort, 3, 200, (machine, random) -> {
            for (int life = 0; life < LIVES; life++) {
                machine.live(FAULTS.get(random.nextInt(FAULTS.size())));
                HolderMark.hide(machine.storage());
                read(subject, machine);
            }
        });
    }

    private static void read(Subject subject, Machine machine) {
        List<Follower> followers = new ArrayList<>();
        for (ReadMode mode : ReadMode.values()) {
            for (ReadScope scope : ReadScope.values()) {
                try (Follower follower = Follower.open(subject, machine.storage(), scope, mode)) {
                    follower.readOn();
                    followers.add(follower);
                }
            }
        }
        long recovered = (Long) machine.work().check(machine.storage());
        assertThat(followers).as("the last entries that readers saw").allMatch(each -> each.last() <= recovered);
        followers.forEach(each -> each.checkAllIsIn(machine.work().entries()));
        assertThat(machine.storage().openHandles()).as("open handles").isZero();
    }
}
