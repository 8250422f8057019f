"""What debiasing leaves of a bias, and what it costs: tests of one model beside another."""
